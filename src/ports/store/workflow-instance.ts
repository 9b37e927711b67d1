/** How far the start of a workflow is in a workspace. A workspace opened by hand counts as started. */
export interface WorkflowInstanceRecord {
  readonly space: string;
  /** Setup: commands run, nothing is posted yet. Started: the kickoff is posted. Neither is ever repeated. */
  readonly phase: "setup" | "started";
  /** Close the workspace when nothing is left to do. */
  readonly untilIdle: boolean;
}

export interface WorkflowInstanceReads {
  /** Those whose workspace is open. */
  running(): Promise<WorkflowInstanceRecord[]>;
}

export interface WorkflowInstanceWrites {
  /** Replaces the record of an earlier start in the same workspace. */
  save(instance: WorkflowInstanceRecord): Promise<void>;
}
