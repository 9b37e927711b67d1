/** What was seen of one peer. A list has one entry a round. */
export interface PeerResult {
  readonly name: string;
  readonly label: string;
  readonly versions: readonly string[];
  readonly durable: boolean;
  readonly flushed: boolean;
  /** Why a scenario could not be measured, by its letter; `*` for all of them. */
  readonly failures: Record<string, string>;
  /** Of the first and of the last request of a run of ten steps. */
  requestBytes?: { readonly first: number; readonly last: number };
  readonly stepMs: number[];
  readonly hopMs: number[];
  readonly many: ManyResult[];
  readonly idleMb: number[];
  readonly coldMs: number[];
  readonly kill: KillResult[];
  readonly crowd: ManyResult[];
}

export interface ManyResult {
  readonly seconds: number;
  readonly cpuMsPerStep: number;
  readonly mb: number;
  readonly processes: number;
  readonly errors: number;
}

export interface KillResult {
  readonly outcome: string;
  /** Calls of steps that were finished before the kill, made again. */
  readonly repeated: number;
}

/** The scenarios by their letter. */
export const SCENARIOS = {
  a: "a step of a 10-step run, ms",
  b: "a hop of a hand-over of two agents, ms",
  c: "100 runs of 4 steps at once, model 200 ms",
  d: "idle memory with 1,000 agents, MB",
  e: "cold start to the first answer, ms",
  f: "kill -9 in step 5 of 10",
  g: "1,000 runs of 4 steps at once, model 200 ms",
} as const;
export type Scenario = keyof typeof SCENARIOS;
