/** A question of one agent about what another one shares. Stored for ever, so that people see who asked what. */
export interface MemoryQuestion {
  readonly id: string;
  /** Whose memory it was about. */
  readonly agent: string;
  readonly asker: string;
  readonly space: string;
  readonly run: string | null;
  readonly query: string;
  /** Number of entries in the answer. */
  readonly shared: number;
  readonly at: number;
}

/** Facts about memories that are not in their files. */
export interface MemoryReads {
  /** Newest first. */
  questions(agent: string, limit: number): Promise<MemoryQuestion[]>;
  /** When entries were last recalled, by their id or else their key. */
  uses(agent: string): Promise<ReadonlyMap<string, number>>;
  /** Whether the agent has seen untrusted content in the space. */
  hasSeenUntrusted(agent: string, space: string): Promise<boolean>;
}

export interface MemoryWrites {
  addQuestion(question: MemoryQuestion): Promise<void>;
  markUsed(agent: string, entry: string, at: number): Promise<void>;
  /** Idempotent. */
  markSeenUntrusted(agent: string, space: string, at: number): Promise<void>;
}
