import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errnoOf, fileFault } from "./file-fault.ts";
import { CANNOT_FLUSH } from "./flush-folder.ts";
import { processIsAlive } from "./process-liveness.ts";

/**
 * Atomic writes: a reader, or a restart after a crash, sees the old file or the new one, never a mixture. The bytes go
 * to a temporary file in the same folder, are flushed to the disk, and are then renamed. Nothing is written through an
 * existing name, so a link planted at that name is replaced, never followed.
 */

/** "exists" only when an exclusive write found the name taken; nothing was changed then. */
export type WriteOutcome = "written" | "exists";

export interface WriteOptions {
  /** Permission bits. Absent: those of the file being replaced, or 0600 for a new one. */
  readonly mode?: number | undefined;
  /** Never replace: an existing file wins. */
  readonly exclusive?: boolean;
  /** Name of the file in error messages. Default: its path. */
  readonly label?: string;
  /** False: do not flush, because the file can be made again. The write is still atomic for readers. */
  readonly durable?: boolean;
}

/** Bytes on the disk under a temporary name. Call exactly one of the two methods, once. */
export interface StagedFile {
  /** Synchronous, so that it can be part of a transaction. `path` is on the same file system as the folder. */
  publish(path: string, options?: WriteOptions): WriteOutcome;
  /** Never throws; harmless after `publish`. */
  discard(): void;
}

/** Content that waits under a name of its own, so that a later process sees whether it was published. */
export interface LastingStagedFile extends StagedFile {
  readonly name: string;
}

const PREFIX = ".staged-";
const LASTING_PREFIX = ".once-";
/** A run that was cut off goes on much earlier; what is older belongs to a run that was given up. */
const LASTING_MS = 30 * 24 * 3_600_000;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Temporary names in use by this process. Its pid alone proves nothing: a restarted container gets the same pid again. */
const live = new Set<string>();

/** Replaces or creates the file at `path`. On a disk error it throws a Fault and leaves nothing behind. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<WriteOutcome> {
  const staged = await stageFile(dirname(path), data, options.label ?? path, options.durable);
  try {
    return staged.publish(path, options);
  } finally {
    staged.discard();
  }
}

export async function stageFile(
  folder: string,
  data: string | Uint8Array,
  label = folder,
  durable = true,
): Promise<StagedFile> {
  const name = temporaryName();
  const temporary = join(folder, name);
  live.add(name);
  const discard = (): void => {
    live.delete(name);
    try {
      rmSync(temporary, { force: true });
    } catch {
      // The next sweep removes it.
    }
  };
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
    await using file = await open(temporary, flags, 0o600);
    await file.writeFile(data);
    if (durable) await file.sync();
  } catch (error) {
    discard();
    throw fileFault("write", label, error);
  }
  return {
    publish: (path, options = {}) => {
      const outcome = publish(temporary, path, { label, ...options });
      if (outcome === "written") live.delete(name);
      return outcome;
    },
    discard,
  };
}

/**
 * Stages content under a name made of `id`, in place of earlier content there. It stays until it is published, also
 * after a crash; `discard` does not remove it: see `staged-change.ts`.
 */
export async function stageLasting(
  folder: string,
  data: string | Uint8Array,
  id: string,
  label = folder,
): Promise<LastingStagedFile> {
  const name = `${LASTING_PREFIX}${id}.tmp`;
  const path = join(folder, name);
  await writeFileAtomic(path, data, { label, mode: 0o600 });
  return { name, publish: (target, options = {}) => publish(path, target, { label, ...options }), discard: () => {} };
}

/** Returns an unused name for a temporary file, which `sweepStaged` recognises. */
export function temporaryName(): string {
  return `${PREFIX}${process.pid}-${randomBytes(9).toString("hex")}.tmp`;
}

/**
 * Removes the temporary files that ended processes left in `folder`. Safe beside running writers: their files stay.
 * With a time, also content that has waited for its run for a month (`stageLasting`). Does nothing when the folder is
 * missing.
 */
export function sweepStaged(folder: string, nowMs?: number): void {
  for (const name of readNames(folder)) {
    const pid = /^\.staged-(\d+)-[0-9a-f]+\.tmp$/.exec(name)?.[1];
    const left = pid === undefined ? isOutdated(folder, name, nowMs) : !isLive(name, Number(pid));
    if (left) rmSync(join(folder, name), { force: true });
  }
}

function isOutdated(folder: string, name: string, nowMs: number | undefined): boolean {
  if (nowMs === undefined || !name.startsWith(LASTING_PREFIX)) return false;
  const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return stats !== undefined && nowMs - stats.mtimeMs > LASTING_MS;
}

function isLive(name: string, pid: number): boolean {
  return pid === process.pid ? live.has(name) : processIsAlive(pid);
}

function publish(temporary: string, path: string, options: WriteOptions): WriteOutcome {
  const label = options.label ?? basename(path);
  try {
    applyMode(temporary, options.mode ?? modeOf(path));
    if (options.exclusive === true) {
      if (!renameIfFree(temporary, path)) return "exists";
    } else {
      renameSync(temporary, path);
    }
    if (options.durable !== false) syncFolder(dirname(path));
    return "written";
  } catch (error) {
    throw fileFault("write", label, error);
  }
}

/**
 * Renames `temporary` to `path`. Returns false, and changes nothing, when `path` exists. Synchronous, so that no reader
 * of this process sees the file under two names. Without hard links an empty file reserves the name and is replaced.
 */
export function renameIfFree(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
  } catch (error) {
    const errno = errnoOf(error) ?? "";
    if (errno === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"].includes(errno)) throw error;
    if (!reserve(path)) return false;
    renameSync(temporary, path);
    return true;
  }
  unlinkSync(temporary);
  return true;
}

function reserve(path: string): boolean {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600));
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

function modeOf(path: string): number | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.mode & 0o777 : undefined;
}

function applyMode(temporary: string, mode: number | undefined): void {
  if (mode === undefined || mode === 0o600) return;
  const fd = openSync(temporary, constants.O_WRONLY | NO_FOLLOW);
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

/** Flushes a folder, so that a new name survives a crash. Does nothing where the system cannot (Windows, some mounts). */
function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (!CANNOT_FLUSH.has(errnoOf(error) ?? "")) throw error;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw fileFault("read", folder, error);
  }
}
