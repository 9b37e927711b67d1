/** How far the start of a workflow has come in a workspace. One that was opened by hand counts as started. */
export interface WorkflowInstanceRecord {
  readonly space: string;
  /** Setup: commands are running, nothing was said yet. Started: the kickoff is posted. Neither is ever repeated. */
  readonly phase: "setup" | "started";
  /** Close the workspace when nothing is left to do. */
  readonly untilIdle: boolean;
}

export interface WorkflowInstanceReads {
  /** Those whose workspace is open. */
  running(): Promise<WorkflowInstanceRecord[]>;
}

export interface WorkflowInstanceWrites {
  /** Replaces what was known of an earlier start in the same workspace. */
  save(instance: WorkflowInstanceRecord): Promise<void>;
}
