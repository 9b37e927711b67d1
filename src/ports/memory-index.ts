import type { MemoryTier, PersonalText } from "./personal-context.ts";

/**
 * Finds texts of an agent's personal context by what they are about. It is derived from the files and never the truth:
 * whoever deletes it loses nothing but the time to make it again. One process has it open.
 *
 * No method is refused. Texts of one agent are never found for another. Damage heals itself: the index starts empty, and
 * `stamps` then says that every file has to be put in again.
 */
export interface MemoryIndex extends Disposable {
  /** Which files of the agent it holds, each with the stamp it was put in with. */
  stamps(agent: string): ReadonlyMap<string, string>;
  /**
   * Makes it hold exactly these texts of a file. Texts it held before stay as they are; the others give way to it
   * without a trace. Gives way to other work in between.
   */
  put(agent: string, file: string, stamp: string, texts: readonly PersonalText[]): Promise<void>;
  /** Forgets a file. */
  drop(agent: string, file: string): Promise<void>;
  /**
   * The best first. Gives way to other work in between, and words that are in every text cost nothing. Null: it was
   * damaged and is empty now; put the files in again and ask again.
   */
  search(agent: string, question: string, wanted: SearchWanted): Promise<readonly FoundText[] | null>;
}

export interface SearchWanted {
  readonly limit: number;
  readonly now: number;
  readonly tier?: MemoryTier;
}

export interface FoundText extends PersonalText {
  /** Inside the personal context: `memory/learned.yaml`. */
  readonly file: string;
  readonly score: number;
}
