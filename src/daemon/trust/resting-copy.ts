import { constants, copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../kernel/log.ts";
import type { StorePlacement } from "../../ports/store/store.ts";
import { checkDatabaseFiles } from "../../storage/sqlite/private-database.ts";

/** The data of a project that rests: a copy that people can read, so that nothing of the project is touched. */
export interface RestingCopy extends Disposable {
  readonly placement: StorePlacement;
  /** For files that are derived from the store. */
  readonly folder: string;
}

/** A larger store is shown only after the project was trusted. */
const LARGEST_BYTES = 512 * 1024 * 1024;
const FILES = ["", "-wal"];

const FOLDER = "at-rest";

/** Removes what a daemon left that was killed. */
export function removeRestingCopies(home: string): void {
  rmSync(join(home, FOLDER), { recursive: true, force: true });
}

/**
 * Copies the store of a project into a folder of the home. Without a usable store, or one on a server (undefined), there
 * is an empty one. Throws when a file
 * of the store leads to a file elsewhere: it would be read as if it were of the project.
 */
export function copyStoreAtRest(file: string | undefined, home: string, log: Log): RestingCopy {
  if (file !== undefined) checkDatabaseFiles(file);
  mkdirSync(join(home, FOLDER), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(home, FOLDER, "copy-"));
  const copy = join(folder, "store.db");
  const copied =
    file !== undefined && existsSync(file) && FILES.every((suffix) => copyFile(file + suffix, copy + suffix, log));
  return {
    folder,
    placement: copied ? { kind: "file", file: copy } : { kind: "memory" },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function copyFile(from: string, to: string, log: Log): boolean {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (!stats.isFile() || stats.size > LARGEST_BYTES) return false;
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    log.warn("the store of a project at rest could not be read", { error });
    return false;
  }
}
