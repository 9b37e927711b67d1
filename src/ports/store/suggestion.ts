/** A proposed change of a document, by a participant that may not write it or prefers to ask. */
export interface SuggestionRecord {
  readonly id: string;
  readonly space: string;
  readonly file: string;
  /** The whole new text, or a text to add at the end. */
  readonly way: "replace" | "append";
  readonly content: string;
  /** Why, in the author's words. */
  readonly note: string | null;
  /** Revision of the document the author had read; null when there was none. */
  readonly base: string | null;
  readonly author: string;
  readonly state: "open" | "accepted" | "rejected";
  readonly decidedBy: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly decidedAt: number | null;
}

export interface SuggestionReads {
  byId(id: string): Promise<SuggestionRecord | undefined>;
  /** Open ones of a space, oldest first. */
  open(query: { readonly space: string; readonly limit: number }): Promise<SuggestionRecord[]>;
}

export interface SuggestionWrites {
  add(suggestion: SuggestionRecord): Promise<void>;
  /** Returns false when it was decided already. */
  decide(
    id: string,
    decision: Pick<SuggestionRecord, "state" | "decidedBy" | "reason" | "decidedAt">,
  ): Promise<boolean>;
}
