import type { Lane } from "../../domain/delivery/lane.ts";
import type { DeliveryState, DeliveryStatus } from "../../domain/delivery/state.ts";
import type { MessageRecord } from "./message.ts";

/** What changes about a delivery. `domain/delivery/state.ts` decides how; the store keeps it. */
export interface DeliveryProgress {
  readonly state: DeliveryState;
  /** Who leased it: the id of a daemon's life, so that a later life knows its own leases from a dead one's. */
  readonly leaseOwner: string | null;
  /** The run that works on it, or the one that ended it. */
  readonly run: string | null;
}

/** One message for one mailbox. The inbox of an agent is its open (pending or leased) deliveries. */
export interface DeliveryRecord extends DeliveryProgress {
  /** Order of acceptance among all deliveries of this store. */
  readonly seq: number;
  readonly id: string;
  readonly message: string;
  readonly space: string;
  /** The loop that consumes it: see `domain/delivery/mailbox.ts`. */
  readonly mailbox: string;
  readonly lane: Lane;
  readonly enqueuedAt: number;
}

export interface DeliveryWithMessage {
  readonly delivery: DeliveryRecord;
  readonly message: MessageRecord;
}

export interface LaneCount {
  readonly mailbox: string;
  readonly lane: Lane;
  readonly count: number;
}

export interface DeliveryReads {
  /** In the order given; ids that do not exist are left out. */
  byIds(ids: readonly string[]): Promise<DeliveryRecord[]>;
  /** Open deliveries of the mailbox in one space, the most urgent lane first, oldest first within it. */
  inbox(query: {
    readonly mailbox: string;
    readonly space: string;
    readonly limit: number;
  }): Promise<DeliveryWithMessage[]>;
  /**
   * The candidates for the next lease, among what is pending and may be leased at `now`: for each lane the oldest that
   * no run has had, and all that came back from a run, since those do not wait in the order of their acceptance.
   * A workspace that is closed, or being set up, rests: its deliveries wait, here and for the two questions below.
   */
  heads(mailbox: string, now: number): Promise<DeliveryRecord[]>;
  /** Pending deliveries of the mailbox in one space that may be leased at `now`, oldest first. */
  pending(query: {
    readonly mailbox: string;
    readonly space: string;
    readonly now: number;
    readonly limit: number;
  }): Promise<DeliveryRecord[]>;
  /** Whether anything is pending for the mailbox, also what rests or must still wait. */
  hasPending(mailbox: string): Promise<boolean>;
  /** Open deliveries a run works on or gave way with, oldest first. */
  ofRun(run: string): Promise<DeliveryRecord[]>;
  /** When the next pending delivery that must still wait, and does not rest, may be leased; null when there is none. */
  nextDue(mailbox: string, now: number): Promise<number | null>;
  /** Dead ones, newest first; in one space, or in all. */
  dead(query: { readonly space?: string; readonly limit: number }): Promise<DeliveryWithMessage[]>;
  /** Open ones, in one space or in all: the oldest first within each mailbox and lane. */
  open(query: { readonly space?: string; readonly limit: number }): Promise<DeliveryWithMessage[]>;
  countOpen(space: string): Promise<number>;
  /** How many open deliveries each mailbox has in the space; mailboxes without any are left out. */
  countOpenByMailbox(space: string): Promise<ReadonlyMap<string, number>>;
  /** How many are open for each mailbox that has any, lane by lane. */
  countOpenByLane(): Promise<LaneCount[]>;
  /** How many are pending and how many dead, in the whole store. */
  backlog(): Promise<{ readonly pending: number; readonly dead: number }>;
  /** Mailboxes that have pending work that does not rest: the start-up scan, which replaces every wake that was lost. */
  mailboxesWithPending(): Promise<string[]>;
  /** Leases held by anyone but this leaseOwner: what a dead daemon left behind. */
  leasedByOthers(leaseOwner: string, limit: number): Promise<DeliveryRecord[]>;
}

export interface DeliveryWrites {
  add(delivery: NewDelivery): Promise<void>;
  /**
   * Moves one delivery on, if it still is in the state (and held by the leaseOwner) it was read in. False means someone
   * else moved it first: the caller reads again, or gives up what it was doing.
   */
  advance(
    id: string,
    from: { readonly status: DeliveryStatus; readonly leaseOwner: string | null },
    to: DeliveryProgress,
  ): Promise<boolean>;
}

/** A delivery is born pending, with nothing attempted. */
export type NewDelivery = Pick<DeliveryRecord, "id" | "space" | "mailbox" | "lane" | "enqueuedAt"> & {
  /** Sequence number of its message. */
  readonly messageSeq: number;
};
