import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { temporaryName } from "./atomic-write.ts";
import { errnoOf, fileFault } from "./file-fault.ts";

/**
 * Files that are ours alone: regular, with one name, of this user, and with mode 0600 whatever the umask. A file of ours
 * with a wider mode is narrowed. Anything else in its place could lead to a file elsewhere or be changed by others, and
 * is refused with a Fault. The folder must be ours: whoever can write to it can replace a file between two steps.
 */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Does not wait for the other end of a pipe. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Says why a file cannot be ours alone; undefined when it can. Its mode is no reason: that can be changed. */
export function objectionToFile(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (!stats.isFile()) return "is not a regular file";
  if (stats.nlink > 1) return "has a second name elsewhere (a hard link)";
  return isForeign(stats) ? "belongs to another user" : undefined;
}

/** The same for a folder. */
export function objectionToFolder(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (!stats.isDirectory()) return "is not a folder";
  return isForeign(stats) ? "belongs to another user" : undefined;
}

/** Returns the mode that a file or folder of ours has to get; undefined when others have no right to it. */
export function narrowerMode(stats: Stats): number | undefined {
  if (process.platform === "win32" || (stats.mode & 0o077) === 0) return undefined;
  return stats.isDirectory() ? FOLDER_MODE : FILE_MODE;
}

export function unsafeFault(path: string, objection: string): Fault {
  return new Fault("file_unsafe", `${path} ${objection}: it is not used.`, {
    hint: "The program made no such file. Find out who did, then move it away.",
  });
}

/** Throws when something is there that cannot be ours alone. Changes nothing. Returns undefined when nothing is there. */
export function checkPrivateFile(path: string): Stats | undefined {
  return checked(path, objectionToFile);
}

/** The same for a folder. */
export function checkPrivateFolder(path: string): Stats | undefined {
  return checked(path, objectionToFolder);
}

/**
 * Makes an existing file or folder ours alone. The file is not opened: closing it would release the locks that SQLite
 * has on it in this process. Returns what was there before.
 */
export function narrowPrivateFile(path: string): Stats | undefined {
  return narrowed(path, checkPrivateFile(path));
}

/** The same for a folder. */
export function narrowPrivateFolder(path: string): Stats | undefined {
  return narrowed(path, checkPrivateFolder(path));
}

/** Creates an empty file. Returns false when something of that name is there. */
export function createPrivateFile(path: string): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW, FILE_MODE);
    try {
      fchmodSync(file, FILE_MODE);
    } finally {
      closeSync(file);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw fileFault("write", path, error);
  }
}

/** Opens a file with these flags, with `O_CREAT` a new one. The caller closes the descriptor. */
export function openPrivateFile(path: string, flags: number): number {
  let file: number;
  try {
    file = openSync(path, flags | NO_FOLLOW | NO_WAIT, FILE_MODE);
  } catch (error) {
    checkPrivateFile(path);
    throw fileFault((flags & constants.O_CREAT) === 0 ? "read" : "write", path, error);
  }
  try {
    const stats = fstatSync(file);
    const objection = objectionToFile(stats);
    if (objection !== undefined) throw unsafeFault(path, objection);
    if ((stats.mode & 0o777) !== FILE_MODE) fchmodSync(file, FILE_MODE);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Writes a file atomically. An existing file is replaced; a link is replaced, not followed. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = join(dirname(path), temporaryName());
  try {
    const file = openPrivateFile(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileFault("write", path, error);
  }
}

function checked(path: string, objectionTo: (stats: Stats) => string | undefined): Stats | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw fileFault("read", path, error);
  }
  const objection = stats === undefined ? undefined : objectionTo(stats);
  if (objection !== undefined) throw unsafeFault(path, objection);
  return stats;
}

function narrowed(path: string, stats: Stats | undefined): Stats | undefined {
  const mode = stats === undefined ? undefined : narrowerMode(stats);
  try {
    if (mode !== undefined) chmodSync(path, mode);
  } catch (error) {
    throw fileFault("write", path, error);
  }
  return stats;
}

function isForeign(stats: Stats): boolean {
  const user = process.getuid?.();
  return user !== undefined && stats.uid !== user;
}
