/**
 * What every program gets. The name of a model says what it does, so that the model server needs no other script:
 * how many steps a run has, how long the model thinks, and in which step it does not answer.
 */
export const MODELS = {
  steps: "steps-10",
  first: "steps-1",
  many: "steps-4-think-200",
  held: "steps-10-hold-5",
  hops: "hops-20",
} as const;
export type RunKind = "steps" | "first" | "many" | "held";

export const STEPS = 10;
export const HOPS = 20;
export const MANY_STEPS = 4;
export const HELD_STEP = 5;
/** Agents that take turns with the runs of ten steps: each run begins without a history, as a new thread does. */
export const STEP_AGENTS = 100;

export const SYSTEM = "Answer.";
export const QUESTION = "Please look.";
export const PARTNERS = ["ping", "pong"] as const;

/** The two tools that every program gives to its model. They have the names that agent-worker's own two have. */
export const LOOK = { name: "my_inbox", description: "Messages that wait for you.", answer: "Nothing waits." } as const;
export const PASS = { name: "no_action", description: "End your turn without a message." } as const;

export interface Setup {
  /** The address of the model server for this program, with `/v1`. */
  readonly url: string;
  /** Where it may store what it stores. It is the same after a kill. */
  readonly folder: string;
  readonly agents: number;
  /** A PostgreSQL database, for programs that need one. */
  readonly database: string;
  /** The last request of a run of agent-worker, for the program that sends the same ones. */
  readonly sameRequest: string;
}

export interface Run {
  readonly kind: RunKind;
  /** From 1; runs that happen at once have different numbers. */
  readonly number: number;
  /** Unique in the folder. */
  readonly id: string;
}

/** After a kill: nothing is left, or a call with the id is needed, or it goes on with the start of the program. */
export type AfterKill = "lost" | "resumes by hand" | "resumes";

export interface PeerProgram {
  /** Returns the processes that do the work, if it is not this one. */
  start(setup: Setup): Promise<readonly number[]>;
  /** One run, to its answer. */
  run(run: Run): Promise<void>;
  /** Two agents hand over to each other, one model call each, until the model ends it. */
  handOver(id: string): Promise<void>;
  /** After a kill and a start with the same folder. */
  resume(run: Run): Promise<AfterKill>;
  stop(): Promise<void>;
}
