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

/**
 * Something that the guard did when it tidied up the memory of an agent, or asks the agent's person. Stored for ever.
 * note: a note about a day of conversation. merged: an entry was set aside, because another one says the same. promoted: an
 * archived entry is working memory again. question: two entries contradict each other, and a person decides.
 */
export interface MemoryChange {
  readonly id: string;
  readonly agent: string;
  readonly kind: "note" | "merged" | "promoted" | "question";
  /** done: it was done. undone: a person took it back. open: a question that waits. answered: a question that does not. */
  readonly state: "done" | "undone" | "open" | "answered";
  /** The day of a note, or the key of an entry. */
  readonly subject: string;
  /** Why, for people. */
  readonly reason: string;
  readonly details: MemoryChangeDetails;
  readonly at: number;
  readonly decidedAt: number | null;
}

export interface MemoryChangeDetails {
  /** The file of a note, and its text as it was written. */
  readonly note?: { readonly name: string; readonly text: string };
  /** The changed entry by its id or else its key, and the tier it had. */
  readonly entry?: { readonly ref: string; readonly tier: "core" | "working" | "archive" };
  /** The entries that a merge or a question is about. */
  readonly entries?: readonly QuestionedEntry[];
  /** How a person answered: the key of the entry that stays, or null when both are true. */
  readonly kept?: string | null;
}

export interface QuestionedEntry {
  readonly ref: string;
  readonly key: string;
  readonly text: string;
  /** It may come from untrusted content. */
  readonly outside: boolean;
}

/** How often an entry was recalled, and when for the last time. */
export interface MemoryUse {
  readonly times: number;
  readonly at: number;
}

/** Facts about memories that are not in their files. */
export interface MemoryReads {
  /** Newest first. */
  questions(agent: string, limit: number): Promise<MemoryQuestion[]>;
  /** When entries were last recalled, by their id or else their key. */
  uses(agent: string): Promise<ReadonlyMap<string, number>>;
  /** The same entries, with how often they were recalled. */
  useCounts(agent: string): Promise<ReadonlyMap<string, MemoryUse>>;
  change(id: string): Promise<MemoryChange | undefined>;
  /** Newest first. */
  changes(query: {
    readonly agent?: string;
    readonly state?: MemoryChange["state"];
    readonly limit: number;
  }): Promise<MemoryChange[]>;
  /** When the memory of the agent was last tidied up; 0 = never. */
  tidiedAt(agent: string): Promise<number>;
  /** Whether the agent has seen untrusted content in the space. */
  hasSeenUntrusted(agent: string, space: string): Promise<boolean>;
}

export interface MemoryWrites {
  addQuestion(question: MemoryQuestion): Promise<void>;
  markUsed(agent: string, entry: string, at: number): Promise<void>;
  addChange(change: MemoryChange): Promise<void>;
  /** Returns false when it was not in this state. */
  decideChange(
    id: string,
    from: MemoryChange["state"],
    to: Pick<MemoryChange, "state" | "details" | "decidedAt">,
  ): Promise<boolean>;
  setTidied(agent: string, at: number): Promise<void>;
  /** Idempotent. */
  markSeenUntrusted(agent: string, space: string, at: number): Promise<void>;
}
