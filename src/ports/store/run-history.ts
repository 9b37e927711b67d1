import type { RunInputReads, RunInputWrites } from "./run-input.ts";
import type { RunRecord, StepRecord } from "./run.ts";

/** Details of past runs, for people. Nothing here is needed to resume one. */
export interface ToolCallRecord {
  readonly tool: string;
  /** JSON, shortened. */
  readonly args: string;
  /** Shortened; null when the step ended before the tool answered. */
  readonly result: string | null;
  readonly failed: boolean;
  /** How long it took. Absent when it is not known. */
  readonly wallMs?: number;
}

export interface PastStep extends Pick<StepRecord, "number" | "finishedAt" | "wallMs" | "usage"> {
  readonly calls: readonly ToolCallRecord[];
}

export interface RunQuery {
  readonly mailbox?: string;
  readonly space?: string;
  /** Only those of the chain of causes that begins with this message. */
  readonly root?: string;
  /** Only those before the run of this id. */
  readonly before?: string;
  readonly limit: number;
}

export interface RunHistoryReads extends RunInputReads {
  /** Newest first. */
  list(query: RunQuery): Promise<RunRecord[]>;
  /** The finished steps of a run, in order. */
  steps(run: string): Promise<PastStep[]>;
  /** What its prompt contained and what was left out, as JSON; null when it never finished a step. */
  receipt(run: string): Promise<string | null>;
  /** When its transcript, its tool calls and its receipt were removed because they were old; null when they are there. */
  detailsRemovedAt(run: string): Promise<number | null>;
}

export interface RunHistoryWrites extends RunInputWrites {
  /** Stores the tool calls of a step. Once for each step. */
  storeCalls(run: string, step: number, calls: readonly ToolCallRecord[]): Promise<void>;
  /** Replaces an earlier one: an interrupted run may have had another prompt. */
  storeReceipt(run: string, receipt: string): Promise<void>;
}
