/** Where the new content of a file waits before it is renamed to the file. */
export interface StagedChange {
  /** Path of a trusted folder, and names of the folders below it. */
  readonly root: string;
  readonly folder: readonly string[];
  /** Both relative to that folder. */
  readonly staged: string;
  readonly file: string;
}

/** For whoever changes a file for a call that may be repeated. */
export interface FileEffect<Value> {
  /** Part of the name under which the new content is staged. */
  readonly id: string;
  /** Called each time the new content is on disk and before it is renamed; `value` is what the change returns. */
  begin(change: StagedChange, value: Value): Promise<void>;
}
