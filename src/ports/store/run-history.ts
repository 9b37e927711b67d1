import type { RunRecord, StepRecord } from "./run.ts";

/** Runs as people look back at them. Nothing here is needed to go on with one. */
export interface ToolCallRecord {
  readonly tool: string;
  /** JSON, shortened. */
  readonly args: string;
  /** Shortened; null when the step ended before the tool answered. */
  readonly result: string | null;
  readonly failed: boolean;
}

export interface PastStep extends Pick<StepRecord, "number" | "finishedAt" | "wallMs" | "usage"> {
  readonly calls: readonly ToolCallRecord[];
}

export interface RunQuery {
  readonly mailbox?: string;
  readonly space?: string;
  readonly limit: number;
}

export interface RunHistoryReads {
  /**
   * The newest first. Of a space only those among the last runs of the store, so that asking for one that is seldom
   * used does not look at all runs there ever were; of a mailbox alone, as many as are asked for.
   */
  list(query: RunQuery): Promise<RunRecord[]>;
  /** The finished steps of a run, in order. */
  steps(run: string): Promise<PastStep[]>;
  /** What the run was given and what was left out, as JSON; null when it never finished a step. */
  receipt(run: string): Promise<string | null>;
}

export interface RunHistoryWrites {
  /** What the tools did in a step that is being kept. Once for each step. */
  keepCalls(run: string, step: number, calls: readonly ToolCallRecord[]): Promise<void>;
  /** Replaces an earlier one: a run that was interrupted may have been given something else. */
  keepReceipt(run: string, receipt: string): Promise<void>;
}
