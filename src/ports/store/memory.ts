/** A question one agent asked about what another one shares. Kept for ever: it is how people see who wanted to know what. */
export interface MemoryQuestion {
  readonly id: string;
  /** Whose memory it was about. */
  readonly agent: string;
  readonly asker: string;
  readonly space: string;
  readonly run: string | null;
  readonly query: string;
  /** How many entries the answer was made of. */
  readonly shared: number;
  readonly at: number;
}

/** What has to be known about memories besides what their files say. */
export interface MemoryReads {
  /** Newest first. */
  questions(agent: string, limit: number): Promise<MemoryQuestion[]>;
  /** When entries were last recalled, by their id or else their key. */
  uses(agent: string): Promise<ReadonlyMap<string, number>>;
  /** Whether the agent has heard outside text in the space, or anywhere (null). */
  hasSeenUntrusted(agent: string, space: string | null): Promise<boolean>;
}

export interface MemoryWrites {
  addQuestion(question: MemoryQuestion): Promise<void>;
  markUsed(agent: string, entry: string, at: number): Promise<void>;
  /** Saying it again changes nothing. */
  markHeardOutside(agent: string, space: string, at: number): Promise<void>;
}
