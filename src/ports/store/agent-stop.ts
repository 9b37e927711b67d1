/** A person stopped an agent: it takes no work until something new comes for it. */
export interface AgentStopRecord {
  readonly mailbox: string;
  readonly at: number;
}

export interface AgentStopReads {
  ofMailbox(mailbox: string): Promise<AgentStopRecord | undefined>;
  list(): Promise<AgentStopRecord[]>;
}

export interface AgentStopWrites {
  /** Replaces an earlier stop. */
  add(stop: AgentStopRecord): Promise<void>;
  /** Does nothing when the agent is not stopped. */
  remove(mailbox: string): Promise<void>;
}
