import type { FileEffect } from "../../kernel/file-effect.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";

/**
 * One folder of a personal context (memory, notes, ...): a folder on disk (`file-area.ts`), or rows of a store
 * (`storage/personal/store-area.ts`). All access to its files goes through this interface. A read sees a whole file, old
 * or new, and no write of another writer is lost.
 */
export interface Area {
  /** Lists the visible files directly in the folder, by name; empty when the folder is missing. */
  files(): Promise<Result<readonly AreaFile[], Refusal>>;
  read(name: string, maxBytes: number): Promise<Result<string, Refusal>>;
  /** Returns the last complete lines of a file, at most `maxBytes`. Never refuses because of the size. */
  tail(name: string, maxBytes: number): Promise<Result<string, Refusal>>;
  /**
   * Replaces the text of a file by the result of `change`, which gets the current text (null when missing). `change` must
   * be pure, because it may run again. An unchanged text is not written.
   */
  edit<T>(name: string, maxBytes: number, change: TextChange<T>, effect?: FileEffect<T>): Promise<Result<T, Refusal>>;
  /**
   * Writes a new file under the first of the names that is free, in any case, and returns what `valueOf` says of it.
   * Never touches an existing file.
   */
  add<T>(
    names: Iterable<string>,
    text: string,
    valueOf: (name: string) => T,
    effect?: FileEffect<T>,
  ): Promise<Result<T, Refusal>>;
  /** Removes a file, if `check` accepts its text. Returns what `check` says of it. */
  remove<T>(name: string, maxBytes: number, check: (text: string) => Result<T, Refusal>): Promise<Result<T, Refusal>>;
  /**
   * Appends what is missing of `block` after a blank line: see `missingBytes`. A failed append leaves the file as it was.
   */
  append(
    name: string,
    block: Buffer,
    sizeBefore: (identity: string) => number | undefined,
  ): Promise<Result<AppendedFile, Refusal>>;
  /** Moves the chosen files to the folder `archive` of this one. Returns their new names, which are free ones. */
  archive(choose: (files: readonly AreaFile[]) => readonly AreaFile[]): Promise<Result<readonly string[], Refusal>>;
}

export interface AreaFile {
  readonly name: string;
  readonly modifiedMs: number;
  /** Time of the last change of the content or the metadata. */
  readonly changedMs: number;
  readonly bytes: number;
  /** Changes whenever the file changes. */
  readonly stamp: string;
}

export interface AppendedFile {
  /** Differs from that of an archived file that had the same name. */
  readonly identity: string;
  readonly size: number;
}

export type TextChange<T> = (text: string | null) => Result<{ readonly text: string; readonly value: T }, Refusal>;

/** The folder of an area that holds what was archived. */
export const ARCHIVE = "archive";

/** The name, and then the name with numbers: `day.md`, `day-2.md`. The name ends with `.md`. */
export function* numberedNames(name: string): Iterable<string> {
  yield name;
  for (let copy = 2; ; copy += 1) yield name.replace(/\.md$/, `-${copy}.md`);
}

/** Returns the last complete lines of a text of which `bytes` are the end. */
export function lastLines(bytes: Buffer, isWhole: boolean): string {
  const text = bytes.toString("utf8");
  return isWhole ? text : text.slice(text.indexOf("\n") + 1 || text.length);
}
