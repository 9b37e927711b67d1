import type { Usage, UsageTotal } from "../../domain/budget/usage.ts";
import type { Lane } from "../../domain/delivery/lane.ts";

/** One execution for one or more deliveries. Written before the engine is called, so that a crash finds it. */
export interface RunRecord {
  readonly id: string;
  readonly mailbox: string;
  readonly space: string;
  /** How urgent its work was when it was last taken up: only what is more urgent makes it give way. */
  readonly lane: Lane;
  /**
   * Open: someone works on it. Parked: it gave way, or its daemon died, and goes on from its last step. Waiting: a
   * person has to decide on a call of its last step; it keeps its deliveries and belongs to nobody until then.
   */
  readonly state: "open" | "parked" | "waiting" | "ended";
  /** The life of a daemon that opened or last resumed it. Only that one may write to it. */
  readonly leaseOwner: string;
  /** Id of the message it answers: what the run says is caused by it. */
  readonly cause: string;
  /** Id of the message that chain of causes began with. */
  readonly root: string;
  /** It has said something already, so its final text is not posted as well. */
  readonly spoke: boolean;
  /** How often it was picked up after a death of its daemon since it last finished a step. */
  readonly recoveries: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** How it ended, in a word; `detail` says more, for people. */
  readonly outcome: RunOutcome | null;
  readonly detail: string | null;
}

export type RunOutcome = "answered" | "silent" | "incomplete" | "failed" | "cancelled";

/** A finished step. Its transcript is what the next step continues from; it is never executed again. */
export interface StepRecord {
  readonly run: string;
  readonly number: number;
  /** JSON, as the engine gave it. */
  readonly transcript: string;
  readonly finishedAt: number;
  readonly wallMs: number;
  readonly usage: Usage;
}

export interface RunReads {
  byId(id: string): Promise<RunRecord | undefined>;
  /** Runs that are open or parked, oldest first: where every agent goes on after a restart. */
  unfinished(): Promise<RunRecord[]>;
  /** When the mailbox last ended a run, or else started one; null when it never did. */
  lastActive(mailbox: string): Promise<number | null>;
  lastStep(run: string): Promise<StepRecord | undefined>;
  /** The transcript that the mailbox's last ended run in the space left, if it finished a step. */
  lastTranscript(mailbox: string, space: string): Promise<string | null>;
  /** What the steps of a run used, or those of all runs of a chain of messages. */
  usage(of: { readonly run: string } | { readonly root: string }): Promise<UsageTotal>;
  /** Unfinished runs that have not finished a step yet, of a mailbox or in a space: turns that are taken already. */
  countStarting(of: { readonly mailbox: string } | { readonly space: string }): Promise<number>;
}

export interface RunWrites {
  open(run: RunRecord): Promise<void>;
  /** Takes a run up again, gives it up, or lets it wait. An ended run stays ended (answers false). */
  move(id: string, to: Pick<RunRecord, "state" | "lane" | "leaseOwner" | "recoveries">): Promise<boolean>;
  markSpoke(id: string): Promise<void>;
  /** A step of an unfinished run; its number must be new. */
  checkpoint(step: StepRecord): Promise<void>;
  /** Answers false when the run had ended already. */
  end(id: string, how: Pick<RunRecord, "endedAt" | "outcome" | "detail">): Promise<boolean>;
}
