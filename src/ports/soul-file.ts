import type { SoulState } from "../domain/soul/soul-history.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { StoreWrites } from "./store/store.ts";

/**
 * The learned soul of an agent: a small file of its personal context, which people may read, edit and commit. The
 * baseline is in the definition of the agent, which is never written.
 */
export interface SoulFile {
  /**
   * Returns the current state. Synchronous, because it is called inside reads of the store; an unchanged file is not read
   * again. A missing file is an empty state. An invalid file is an empty state with a problem.
   */
  read(): SoulReading;
  /** Resolves when `read` returns what is stored now: a soul in the store may have been changed by another node. */
  refresh(): Promise<void>;
  /**
   * Writes the next state to the disk without publishing it. `next` gets the current state. Refused when the file has a
   * problem, which a person must correct.
   */
  stage(next: (state: SoulState) => Result<SoulState, Refusal>): Promise<Result<StagedSoul, Refusal>>;
}

export interface SoulReading {
  readonly state: SoulState;
  /** The problem of the file, with its line if known. */
  readonly problem: string | null;
  /** The same in parts, for lists of problems. */
  readonly mistake: { readonly line: number; readonly message: string } | null;
}

export interface StagedSoul {
  readonly state: SoulState;
  /**
   * Publishes the new state. Called inside the transaction that gives `writes`: a file is published at once, a soul in
   * the store with the transaction. Refuses `stale_revision` when it changed after `stage`. May be called once.
   */
  publish(writes: Pick<StoreWrites, "personalFiles">): Result<undefined, Refusal> | Promise<Result<undefined, Refusal>>;
  /** Removes the staged file. Never throws; harmless after `publish`. */
  discard(): void;
}
