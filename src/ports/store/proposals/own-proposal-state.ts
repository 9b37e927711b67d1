/** What a proposal of the project remembers in a space: one JSON text. The space is "" for the whole project. */
export interface OwnProposalStateReads {
  /** Undefined when it remembers nothing there. */
  find(space: string, proposal: string): Promise<string | undefined>;
}

export interface OwnProposalStateWrites {
  /** Replaces what was there; null removes it. */
  store(space: string, proposal: string, value: string | null): Promise<void>;
}
