import type { TextRange } from "../../domain/message/mentions.ts";

/** The message a workflow begins with, filled in and without secrets. */
export interface KickoffText {
  readonly text: string;
  /** Ranges of the text that were filled in: they are data. */
  readonly inert: readonly TextRange[];
  /** False when it quotes the output of commands or the environment. */
  readonly personsOwn: boolean;
}

/** How far the start of a workflow is in a workspace. A workspace opened by hand counts as started. */
export interface WorkflowInstanceRecord {
  readonly space: string;
  /**
   * Setup: commands run, nothing is posted yet. Election: the participants elect the owner of the documents, and the
   * kickoff waits for it. Started: the kickoff is posted. None is ever repeated.
   */
  readonly phase: "setup" | "election" | "started";
  /** Close the workspace when nothing is left to do. */
  readonly untilIdle: boolean;
  /** The lease owner that runs its setup. Absent in other phases. */
  readonly owner?: string;
  /** The kickoff that waits for the election. */
  readonly kickoff?: KickoffText;
}

export interface WorkflowInstanceReads {
  /** Those whose workspace is open. */
  running(): Promise<WorkflowInstanceRecord[]>;
  bySpace(space: string): Promise<WorkflowInstanceRecord | undefined>;
}

export interface WorkflowInstanceWrites {
  /** Replaces the record of an earlier start in the same workspace. */
  save(instance: WorkflowInstanceRecord): Promise<void>;
}
