import type { Refusal } from "./refusal.ts";

/** Where the new content of a file waits before it is renamed to the file. */
export interface StagedChange {
  /** Path of a trusted folder, and names of the folders below it. */
  readonly root: string;
  readonly folder: readonly string[];
  /** Both relative to that folder. */
  readonly staged: string;
  readonly file: string;
}

/** A change that was made in the transaction that also remembers it: who finds it remembered knows that it happened. */
export interface StoredChange {
  readonly inStore: true;
}

/** For whoever changes a file for a call that may be repeated. */
export interface FileEffect<Value> {
  /** Part of the name under which the new content is staged. */
  readonly id: string;
  /** Called each time the new content is on disk and before it is renamed; `value` is what the change returns. */
  begin(change: StagedChange, value: Value): Promise<void>;
  /**
   * In place of `begin`, for content that is kept in the store: called in the transaction that changes it, with the writes
   * of that transaction. Returns why the content must not change.
   */
  beginWithin(writes: unknown, value: Value): Promise<Refusal | undefined>;
}
