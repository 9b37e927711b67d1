/** A tool call of the unfinished step of a run, so that a step that is made again does not repeat it. */
export interface CallAnswerRecord {
  /** JSON of what the operation returned; null while it has not been accepted. */
  readonly answer: string | null;
  /** JSON: the file that the operation is about to change. Null when it changes none. */
  readonly change: string | null;
}

export interface CallAnswerReads {
  /** `call` is unique within the run. */
  find(run: string, call: string): Promise<CallAnswerRecord | undefined>;
}

export interface CallAnswerWrites {
  storeAnswer(run: string, call: string, answer: string): Promise<void>;
  storeChange(run: string, call: string, change: string): Promise<void>;
  /** Forgets one call; without a call, all of the run. */
  forget(run: string, call?: string): Promise<void>;
}
