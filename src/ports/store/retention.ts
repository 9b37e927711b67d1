/**
 * Old data that may be removed, found and removed in parts, so that no transaction takes long. What is still open is never
 * among it. Workspaces in memory are not: they end with the daemon.
 */
export interface RetentionReads {
  /** Ended runs that still have a transcript, tool calls or a receipt. Those that ended first come first. */
  runsWithDetails(query: {
    readonly endedBefore: number;
    readonly after: RunPosition | null;
    readonly limit: number;
  }): Promise<RunWithDetails[]>;
  /** The steps of a run that still have details, in order, with the size of what is removed with each. */
  detailedSteps(run: string): Promise<{ readonly number: number; readonly bytes: number }[]>;
  /** Events from the oldest one on, in order, but never the newest one, nor one that a rule has yet to read. */
  oldEvents(query: { readonly after: number; readonly limit: number }): Promise<OldEvent[]>;
  /** Number of the newest event; 0 when there is none. */
  newestEvent(): Promise<number>;
  /**
   * Closed workspaces, by key. Something waits in one with a delivery that is open or dead, an unfinished run, an
   * undecided ballot, approval or suggestion, or a schedule; and in the one with the newest message or run of the store,
   * because sequence numbers are never used again.
   */
  closedWorkspaces(query: {
    readonly closedBefore: number;
    readonly after: string;
    readonly limit: number;
  }): Promise<{ readonly key: string; readonly somethingWaits: boolean }[]>;
  /** The oldest messages of a space, with the size of their texts. */
  messagesOf(space: string, query: MessagePage): Promise<{ readonly seq: number; readonly bytes: number }[]>;
  /** Ids of the runs of a space, in order. */
  runsOf(space: string, query: { readonly after: string; readonly limit: number }): Promise<string[]>;
  /** What the store takes on disk, and how much of it is free for new data. */
  size(): Promise<StoreSize>;
}

export interface RetentionWrites {
  removeStepDetails(run: string, step: number): Promise<void>;
  /** The rest of the details of a run: from now on it has none. */
  finishDetails(run: string, at: number): Promise<void>;
  removeEvents(upTo: number): Promise<void>;
  /** A message with its deliveries. */
  removeMessage(seq: number): Promise<void>;
  /** An ended run with its steps. What it used is still counted. */
  removeRun(run: string, at: number): Promise<void>;
  /** A workspace without messages and runs, with its documents, ballots and rules. */
  removeWorkspace(key: string): Promise<void>;
  /**
   * Removes keys of messages that were removed, among the next ones. Returns where to go on, or null at the end.
   */
  removeKeysOfRemoved(after: KeyPosition | null, limit: number): Promise<KeyPosition | null>;
}

export interface RunPosition {
  readonly endedAt: number;
  readonly id: string;
}

export interface RunWithDetails extends RunPosition {
  /** A later run of the same conversation has a transcript. */
  readonly hasSuccessor: boolean;
}

export interface OldEvent {
  readonly seq: number;
  readonly at: number;
  readonly bytes: number;
}

export interface MessagePage {
  readonly after: number;
  readonly limit: number;
}

export interface KeyPosition {
  readonly sender: string;
  readonly key: string;
}

export interface StoreSize {
  readonly bytes: number;
  readonly freeBytes: number;
}
