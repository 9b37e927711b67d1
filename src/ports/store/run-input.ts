/** A piece of a prompt. A shared one is stored once for all runs of the day that have it. */
export interface StoredPiece {
  readonly text: string;
  readonly shared: boolean;
}

/** What a run was given with its first step. */
export interface PromptRecord {
  readonly system: string;
  /** The tools that its model was shown, as a JSON list. */
  readonly tools: string;
  /** One after another; null when the transcript of the first step begins with it. */
  readonly prompt: readonly StoredPiece[] | null;
}

export interface StoredPromptRecord extends Omit<PromptRecord, "prompt"> {
  readonly prompt: string | null;
  readonly firstTranscript: string;
}

export interface RunInputReads {
  /** Null before its first step is finished, and when it was removed because it was old. */
  prompt(run: string): Promise<StoredPromptRecord | null>;
}

export interface RunInputWrites {
  /** Replaces an earlier one. */
  storePrompt(run: string, prompt: PromptRecord, at: number): Promise<void>;
}
