/** What an agent says about the work itself, for the people who run the team. */
export interface FeedbackRecord {
  readonly id: string;
  readonly agent: string;
  readonly space: string;
  readonly run: string | null;
  readonly type: string;
  readonly description: string;
  readonly createdAt: number;
}

export interface FeedbackReads {
  /** Newest first. */
  list(limit: number): Promise<FeedbackRecord[]>;
}

export interface FeedbackWrites {
  add(feedback: FeedbackRecord): Promise<void>;
}
