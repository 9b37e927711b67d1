import type { SoulState } from "../domain/soul/soul-history.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";

/**
 * What an agent has learned about itself: one small file of its personal context, which people may read, edit and
 * commit. The definition of the agent, which is the baseline, is never written here or anywhere else.
 */
export interface SoulFile {
  /**
   * The file as it is now. Synchronous, because it is read inside reads of the store; a file that has not changed is not
   * read again. A missing file is nothing learned. One that cannot be understood is nothing learned and a problem.
   */
  read(): SoulReading;
  /**
   * Brings the next state to the disk without showing it to anybody. `next` is given the state as it is now. Refused
   * when the file has a problem: it is a person's to correct.
   */
  stage(next: (state: SoulState) => Result<SoulState, Refusal>): Promise<Result<StagedSoul, Refusal>>;
}

export interface SoulReading {
  readonly state: SoulState;
  /** What is wrong with the file, with its line where that is known. */
  readonly problem: string | null;
}

export interface StagedSoul {
  readonly state: SoulState;
  /**
   * Gives the new state its name, at once and synchronously: it is called inside a transaction. `stale_revision` when
   * the file changed since it was staged. May be called once.
   */
  publish(): Result<undefined, Refusal>;
  /** Gives it up. Never throws; harmless after `publish`. */
  discard(): void;
}
