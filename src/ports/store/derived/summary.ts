/**
 * A summary of a range of messages of a space. It is derived: without it a prompt only says how many messages it left out.
 * Level 0 is made of messages, and each higher level of summaries of the level below it.
 */
export interface SummaryRecord {
  readonly space: string;
  readonly level: number;
  /**
   * The first and the last message. Sequence numbers; for direct messages that are in files, times in milliseconds since
   * the epoch.
   */
  readonly from: number;
  readonly to: number;
  /** How many messages it is about. */
  readonly messages: number;
  readonly text: string;
  /** The model that wrote it, or null when it was made by rules. */
  readonly model: string | null;
  /** Why the model did not write it; null when it did, or when none was asked. */
  readonly failure: string | null;
  /** How often a model was asked. */
  readonly attempts: number;
  /** Whose words it contains, each once. What a schedule posts counts as the person's. */
  readonly senders: readonly string[];
  /** Changes when the messages do, which only those in files can. */
  readonly fingerprint: string;
  readonly createdAt: number;
}

export interface SummaryReads {
  /**
   * The fewest summaries that together cover the beginning of a space, oldest first. Their number grows with the logarithm
   * of the number of messages.
   */
  cover(space: string): Promise<SummaryRecord[]>;
  /** The last one of a level. */
  last(space: string, level: number): Promise<SummaryRecord | undefined>;
  /** All of a level that begin after this, oldest first. */
  ofLevel(query: {
    readonly space: string;
    readonly level: number;
    readonly after: number;
    readonly limit: number;
  }): Promise<SummaryRecord[]>;
  /** Those that rules made because the model failed, and for which it was asked less often than `attempts`. Oldest first. */
  failed(space: string, attempts: number): Promise<SummaryRecord[]>;
}

export interface SummaryWrites {
  /** Replaces the one of the same space, level and beginning. */
  put(summary: SummaryRecord): Promise<void>;
  /** Removes those that end at or after this: their messages have changed. 0 removes all. */
  removeFrom(space: string, from: number): Promise<void>;
}
