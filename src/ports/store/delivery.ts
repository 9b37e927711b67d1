import type { Lane } from "../../domain/delivery/lane.ts";
import type { DeliveryState, DeliveryStatus } from "../../domain/delivery/state.ts";
import type { MessageRecord } from "./message.ts";

/** The part of a delivery that changes. `domain/delivery/state.ts` decides how. */
export interface DeliveryProgress {
  readonly state: DeliveryState;
  /** Id of the daemon instance that leased it, so that a later instance recognises the leases of a dead one. */
  readonly leaseOwner: string | null;
  /** The run that works on it, or the one that ended it. */
  readonly run: string | null;
}

/** One message for one mailbox. The inbox of an agent is its open (pending or leased) deliveries. */
export interface DeliveryRecord extends DeliveryProgress {
  /** Order of acceptance among all deliveries on disk, or among all in memory. */
  readonly seq: number;
  readonly id: string;
  readonly message: string;
  readonly space: string;
  /** The loop that consumes it: see `domain/delivery/mailbox.ts`. */
  readonly mailbox: string;
  /** The recipient, by its name in the space. */
  readonly agent: string;
  readonly lane: Lane;
  readonly enqueuedAt: number;
  /** Its sender waits for the answer: no other delivery is answered by the same run. */
  readonly awaited: boolean;
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
  /** All deliveries of a message, in the order in which they were added. */
  ofMessage(message: string): Promise<DeliveryRecord[]>;
  /** All deliveries in a space, settled or not, that were added at this time or later, oldest first. */
  since(space: string, time: number): Promise<DeliveryRecord[]>;
  /** Open deliveries of an agent in one space, the most urgent lane first, oldest first within it. */
  inbox(query: {
    readonly mailbox: string;
    /** Absent: every name that the agent of the mailbox has in the space. */
    readonly agent?: string;
    readonly space: string;
    readonly limit: number;
  }): Promise<DeliveryWithMessage[]>;
  /**
   * Returns the candidates for the next lease, among the pending deliveries that may be leased at `now`: for each lane
   * the oldest accepted, and all that were preempted or postponed, since those do not wait in the order of acceptance.
   * All are on disk or all in memory, whichever has the more urgent work. Deliveries of a workspace that is closed or
   * in setup are paused: neither this method nor `nextDue` nor `mailboxesWithPending` returns them. Deliveries in the
   * spaces of `except` are left out.
   */
  heads(mailbox: string, now: number, except?: ReadonlySet<string>): Promise<DeliveryRecord[]>;
  /** Pending deliveries of the mailbox in one space that may be leased at `now`, oldest first. */
  pending(query: {
    readonly mailbox: string;
    readonly space: string;
    readonly now: number;
    readonly limit: number;
  }): Promise<DeliveryRecord[]>;
  /** Whether anything is pending for the mailbox, including deliveries that are paused or must still wait. */
  hasPending(mailbox: string): Promise<boolean>;
  /** Open deliveries of a run that is open or yielded, oldest first. */
  ofRun(run: string): Promise<DeliveryRecord[]>;
  /** When the next pending delivery that must still wait may be leased; null when there is none. */
  nextDue(mailbox: string, now: number): Promise<number | null>;
  /** Dead ones, newest first. */
  dead(query: DeadLetterFilter & DeadLetterPage): Promise<DeliveryWithMessage[]>;
  countDead(filter: DeadLetterFilter): Promise<number>;
  /** Open ones, in one space or in all: those on disk first, the oldest first within each mailbox and lane. */
  open(query: { readonly space?: string; readonly limit: number }): Promise<DeliveryWithMessage[]>;
  countOpen(space: string): Promise<number>;
  /** How many open deliveries each mailbox has in the space; mailboxes without any are left out. */
  countOpenByMailbox(space: string): Promise<ReadonlyMap<string, number>>;
  /** The same for each agent, by its name in the space. */
  countOpenByAgent(space: string): Promise<ReadonlyMap<string, number>>;
  /** How many are open for each mailbox and lane that has any. */
  countOpenByLane(): Promise<LaneCount[]>;
  /** How many are pending and how many dead, in the whole store. */
  backlog(): Promise<{ readonly pending: number; readonly dead: number }>;
  /** Mailboxes with pending deliveries. A periodic scan of them makes up for lost wakes. */
  mailboxesWithPending(): Promise<string[]>;
  /** Deliveries leased by other lease owners: those of dead daemon processes. */
  leasedByOthers(leaseOwner: string, limit: number): Promise<DeliveryRecord[]>;
}

/** Which dead letters are meant. Absent: all. */
export interface DeadLetterFilter {
  readonly space?: string;
  /** Name of the agent, in whichever workspace. */
  readonly agent?: string;
  /** Only of messages that were sent at this time or later. */
  readonly since?: number;
  /** Only of messages that were sent before this time. */
  readonly until?: number;
}

export interface DeadLetterPage {
  /** Only those after this one in the list, which is newest first. */
  readonly before?: { readonly id: string; readonly createdAt: number };
  readonly limit: number;
}

export interface DeliveryWrites {
  add(delivery: NewDelivery): Promise<void>;
  /** Gives a pending delivery to another mailbox, because the recipient is another agent now. Its run is forgotten. */
  readdress(id: string, mailbox: string): Promise<void>;
  /**
   * Changes a delivery if it still has the status and the lease owner of `from`. Returns false when another transaction
   * changed it first: then the caller reads it again or gives up.
   */
  advance(
    id: string,
    from: { readonly status: DeliveryStatus; readonly leaseOwner: string | null },
    to: DeliveryProgress,
  ): Promise<boolean>;
}

/** A new delivery is pending, without attempts. */
export type NewDelivery = Pick<
  DeliveryRecord,
  "id" | "space" | "mailbox" | "agent" | "lane" | "enqueuedAt" | "awaited"
> & {
  /** Sequence number of its message. */
  readonly messageSeq: number;
};
