import { lstatSync, rmSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { openFolder } from "../../files/confined-folder.ts";
import {
  checkPrivateFile,
  createPrivateFile,
  narrowerMode,
  narrowPrivateFile,
  unsafeFault,
} from "../../files/private-file.ts";
import { Fault } from "../../kernel/fault.ts";

/**
 * SQLite opens its files by their paths and follows links. Therefore they are checked first, in a folder that nobody else
 * can write to. A program of the same user could still exchange them between the check and the opening, but it needs no
 * such trick: it may do everything that this user may.
 */
const LOG = "-wal";
const LOG_INDEX = "-shm";
const JOURNAL = "-journal";

/**
 * Makes the files of a database ours alone, and creates the database file, whose mode SQLite gives to the others. Returns
 * whether the database was there before. Call it before each opening that may write.
 */
export function claimDatabase(file: string): boolean {
  for (const end of [LOG, JOURNAL]) narrowPrivateFile(`${file}${end}`);
  renewLogIndex(`${file}${LOG_INDEX}`);
  if (narrowPrivateFile(file) !== undefined) return true;
  if (createPrivateFile(file)) return false;
  narrowPrivateFile(file);
  return true;
}

/** Throws when a file of a database cannot be ours alone. Changes nothing. */
export function checkDatabaseFiles(file: string): void {
  for (const end of ["", LOG, LOG_INDEX, JOURNAL]) checkPrivateFile(`${file}${end}`);
}

/**
 * Somebody who could read the index of the log may still have a lock on it, which would stop every write. SQLite makes a
 * new one from the log.
 */
function renewLogIndex(file: string): void {
  const stats = checkPrivateFile(file);
  if (stats !== undefined && narrowerMode(stats) !== undefined) rmSync(file, { force: true });
}

/** Creates the folder of a database. No link below `root` is followed. */
export function makeDatabaseFolder(file: string, root: string): void {
  const folder = dirname(file);
  const segments = relative(root, folder).split(sep);
  const opened = openFolder(root, segments[0] === "" ? [] : segments, { create: true, mode: 0o700 });
  if (!opened.ok) {
    throw new Fault("file_unsafe", `The database cannot be in ${folder}: ${opened.error.message}.`, {
      hint: "Put a folder of your own in its place.",
    });
  }
  using held = opened.value;
  // SQLite gets the path: it must lead to the folder that was checked.
  const [checked, named] = [lstatSync(held.at(".")), lstatSync(folder)];
  if (checked.ino !== named.ino || checked.dev !== named.dev) throw unsafeFault(folder, "was replaced at this moment");
}
