import type { MemoryTier, PersonalText } from "./personal-context.ts";

/**
 * An index of agents' personal contexts: by words, and by meaning where an agent has an embedding model. It is derived from the files: if it is deleted, it is built again. One
 * process has it open.
 *
 * No method refuses. A search never returns texts of another agent. A damaged index is replaced by an empty one, whose
 * `stamps` are empty, so that every file is put in again.
 */
export interface MemoryIndex extends Disposable {
  /** Returns the indexed files of the agent, each with its stamp at that time. */
  stamps(agent: string): ReadonlyMap<string, string>;
  /** Replaces the texts of a file. Unchanged texts are not indexed again. Yields to other work in between. */
  put(agent: string, file: string, stamp: string, texts: readonly PersonalText[]): Promise<void>;
  /** Removes a file from the index. */
  drop(agent: string, file: string): Promise<void>;
  /**
   * Returns the matching texts, best first. Yields to other work in between; words that occur in every text cost nothing.
   * Null: the index was damaged and is empty now. Put the files in again and repeat the search.
   */
  search(agent: string, query: string, options: SearchOptions): Promise<readonly FoundText[] | null>;
  /** Whether any text of the agent has a vector of this model (`provider/model`). */
  hasVectors(agent: string, model: string): boolean;
  /** Returns texts of the agent that have no vector of this model, by their ids: those after `after`. */
  withoutVector(
    agent: string,
    model: string,
    page: { readonly after: number; readonly limit: number },
  ): readonly IndexedText[];
  /** Stores vectors in place of those of another model. Ids of texts that are gone are skipped. */
  putVectors(
    agent: string,
    model: string,
    vectors: readonly { readonly id: number; readonly vector: Float32Array }[],
  ): Promise<void>;
}

export interface IndexedText {
  readonly id: number;
  readonly text: PersonalText;
}

export interface SearchOptions {
  readonly limit: number;
  readonly now: number;
  readonly tier?: MemoryTier;
  /** Messages that are being answered: they are no answer. `at` in milliseconds since the epoch. */
  readonly except?: readonly { readonly text: string; readonly at: number }[];
  /** The question as a vector. Texts that have a vector of the same model are then found by their meaning, too. */
  readonly near?: QuestionVector;
}

export interface QuestionVector {
  /** `provider/model`. */
  readonly model: string;
  readonly vector: Float32Array;
}

export interface FoundText extends PersonalText {
  /** Path inside the personal context: `memory/learned.yaml`. */
  readonly file: string;
  /** Comparable only within one search. */
  readonly score: number;
  /** Why it was found: "words: deploy, friday; same day; near by meaning". */
  readonly why: string;
}
