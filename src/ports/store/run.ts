import type { StepTranscript } from "../../domain/agent/transcript.ts";
import type { Usage, UsageTotal } from "../../domain/budget/usage.ts";
import type { Lane } from "../../domain/delivery/lane.ts";
import type { RunOutcome, WaitKind } from "../../domain/outcome.ts";

/** One execution for one or more deliveries. Written before the engine is called, so that a crash finds it. */
export interface RunRecord {
  readonly id: string;
  readonly mailbox: string;
  /** Its agent, by the name it has in the space. */
  readonly agent: string;
  readonly space: string;
  /** How urgent it was when it was last opened or resumed: it yields only to more urgent work. */
  readonly lane: Lane;
  /**
   * Open: a loop executes it. Parked: it yielded, or its daemon died, and resumes from its last step. Waiting: a person
   * has to decide on a call of its last step; its deliveries stay leased, and no loop executes it until then.
   */
  readonly state: "open" | "parked" | "waiting" | "ended";
  /** Id of the daemon instance that opened or last resumed it. Only that instance may write to it. */
  readonly leaseOwner: string;
  /**
   * Counts how often the run was opened or resumed. Every operation that the run makes names the number it began with,
   * and is refused when the number has changed: the run was taken over meanwhile.
   */
  readonly fence: number;
  /** Id of the message it answers, which is the cause of what the run posts. */
  readonly cause: string;
  /** Id of the first message of that chain of causes. */
  readonly root: string;
  /** It has posted a message, so its final text is not posted as well. */
  readonly spoke: boolean;
  /** How often it was recovered from a dead daemon since it last finished a step. */
  readonly recoveries: number;
  /** `provider/model` of its last step; null before the first. */
  readonly model: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** How it ended, in a word; `detail` says more, for people. */
  readonly outcome: RunOutcome | null;
  readonly detail: string | null;
  /** Why it is incomplete, or why it waits. */
  readonly reason: string | null;
  /** Null for a run that does not wait, or only for its turn. */
  readonly waitsFor: WaitKind | null;
  /** Since when it waits or is put aside; of one that goes on again, since when it does. Null before all of that. */
  readonly waitsSince: number | null;
  /** When it goes on by itself. Null when only a person lets it go on. */
  readonly waitsUntil: number | null;
  /** What the agent was made from when the run began; null for runs of earlier versions. */
  readonly definition: DefinitionSource | null;
}

/** The files that define an agent, relative to the project, and a fingerprint of what they said. */
export interface DefinitionSource {
  readonly files: readonly string[];
  readonly fingerprint: string;
}

/** The fields of a run that waits for nothing. */
export const NOT_WAITING = { reason: null, waitsFor: null, waitsSince: null, waitsUntil: null } as const;

/** A finished step. It is never executed again. */
export interface StepRecord {
  readonly run: string;
  readonly number: number;
  readonly finishedAt: number;
  readonly wallMs: number;
  readonly usage: Usage;
}

export interface RunReads {
  byId(id: string): Promise<RunRecord | undefined>;
  /** Runs that have not ended, oldest first. */
  unfinished(): Promise<RunRecord[]>;
  /** The open run of a mailbox. There is one at most in the whole store. */
  openOf(mailbox: string): Promise<RunRecord | undefined>;
  /** When the mailbox last ended a run, or else started one; null when it never did. */
  lastActive(mailbox: string): Promise<number | null>;
  lastStep(run: string): Promise<StepRecord | undefined>;
  /**
   * The whole transcript after the last finished step, or after the step `upTo`, from which the next one continues; null
   * when there is none.
   */
  transcript(run: string, upTo?: number): Promise<string | null>;
  /** The transcript of the last ended run of the same agent in the same space, if it finished a step. */
  lastTranscript(like: Pick<RunRecord, "mailbox" | "agent" | "space">): Promise<string | null>;
  /** What the steps of a run used, or those of all runs of a chain of messages. */
  usage(of: { readonly run: string } | { readonly root: string }): Promise<UsageTotal>;
  /** Number of unfinished runs without a finished step, of a mailbox or in a space. Budgets count them as turns. */
  countStarting(of: { readonly mailbox: string } | { readonly space: string }): Promise<number>;
}

export interface RunWrites {
  /** Throws when the mailbox has an open run, and so does a `move` to open. */
  open(run: RunRecord): Promise<void>;
  /** Resumes a run, parks it, or lets it wait. Returns false when it has ended. */
  move(
    id: string,
    to: Pick<
      RunRecord,
      "state" | "lane" | "leaseOwner" | "fence" | "recoveries" | "reason" | "waitsFor" | "waitsSince" | "waitsUntil"
    >,
  ): Promise<boolean>;
  markSpoke(id: string): Promise<void>;
  setModel(id: string, model: string): Promise<void>;
  /** A step of an unfinished run; its number must be new. One that continues must follow the step before it. */
  checkpoint(step: StepRecord & StepTranscript): Promise<void>;
  /** Returns false when the run had ended already. It waits for nothing any more. */
  end(id: string, how: Pick<RunRecord, "endedAt" | "outcome" | "detail" | "reason">): Promise<boolean>;
}
