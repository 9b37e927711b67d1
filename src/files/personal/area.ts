import { lstatSync, readdirSync, readSync, type BigIntStats } from "node:fs";
import type { Clock } from "../../kernel/clock.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { stageFile, sweepStaged } from "../atomic-write.ts";
import { openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { checkFileName, openInside, readInside, refuseSize } from "../confined-path.ts";
import type { OpenedFile } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { withFileLock } from "../file-lock.ts";

/**
 * One folder of a personal context (memory, notes, ...): the only way its files are reached. Reads see a whole file,
 * old or new. Writers hold the folder's lock; a person's editor does not, so an edit is thrown away and made again when
 * the file turns out to have changed under it.
 */
export interface Area {
  /** Visible files of the folder itself, by name; none when the folder is missing. */
  files(): Result<readonly AreaFile[], Refusal>;
  read(name: string, maxBytes: number): Promise<Result<string, Refusal>>;
  /** The last lines of a file, `maxBytes` of them at most; a line that is cut is left out. Never refused by size. */
  tail(name: string, maxBytes: number): Result<string, Refusal>;
  /** Makes the folder if needed and runs `fn` as its only writer. */
  locked<T>(fn: (folder: Folder) => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
  /**
   * Rewrites one file as `change` says, given its text (null when missing). `change` is pure and may run again.
   * Same text = no write.
   */
  edit<T>(name: string, maxBytes: number, change: TextChange<T>): Promise<Result<T, Refusal>>;
}

export interface AreaFile {
  readonly name: string;
  readonly modifiedMs: number;
  /** When anything about it last changed, its times included. */
  readonly changedMs: number;
  readonly bytes: number;
  /** Another one whenever the file has changed. */
  readonly stamp: string;
}

export type TextChange<T> = (text: string | null) => Result<{ readonly text: string; readonly value: T }, Refusal>;

export interface AreaPlace {
  /** Trusted folder, usually the project. */
  readonly root: string;
  /** Checked segments from there to the area. */
  readonly segments: readonly string[];
  readonly clock: Clock;
}

const MAX_ATTEMPTS = 10;

export function createArea({ root, segments, clock }: AreaPlace): Area {
  const locked: Area["locked"] = async (fn) => {
    const opened = openFolder(root, segments, { create: true });
    if (!opened.ok) return opened;
    using folder = opened.value;
    return await withFileLock(folder.at(".lock"), clock, async () => {
      sweepStaged(folder.at("."));
      return await fn(folder);
    });
  };

  return {
    locked,
    files: () => {
      const opened = openFolder(root, segments);
      if (!opened.ok) return opened.error.code === "not_found" ? ok([]) : opened;
      using folder = opened.value;
      return ok(visibleFiles(folder));
    },
    read: async (name, maxBytes) => {
      const opened = openFolder(root, segments);
      if (!opened.ok) {
        return opened.error.code === "not_found" ? refuse("not_found", `there is no file "${name}"`) : opened;
      }
      using folder = opened.value;
      return await readInside(folder.at("."), name, { maxBytes });
    },
    tail: (name, maxBytes) => {
      const opened = openFolder(root, segments);
      if (!opened.ok) return opened;
      using folder = opened.value;
      const found = openInside(folder.at("."), name);
      if (!found.ok) return found;
      using file = found.value;
      return ok(readTail(file, name, maxBytes));
    },
    edit: async (name, maxBytes, change) => await locked(async (folder) => editFile(folder, name, maxBytes, change)),
  };
}

/** What `read` would refuse by its kind or name is no file of the area. */
export function visibleFiles(folder: Folder): AreaFile[] {
  const files: AreaFile[] = [];
  for (const name of readdirSync(folder.at(".")).sort()) {
    const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
    if (stats?.isFile() === true && checkFileName(name, { flat: true }).ok) {
      const [modifiedMs, changedMs] = [Number(stats.mtimeNs) / 1e6, Number(stats.ctimeNs) / 1e6];
      files.push({ name, modifiedMs, changedMs, bytes: Number(stats.size), stamp: stampOf(stats) });
    }
  }
  return files;
}

function readTail(file: OpenedFile, name: string, maxBytes: number): string {
  const start = Math.max(0, file.size - maxBytes);
  const bytes = Buffer.alloc(file.size - start);
  try {
    const length = readSync(file.fd, bytes, 0, bytes.length, start);
    const text = bytes.subarray(0, length).toString("utf8");
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1 || text.length);
  } catch (error) {
    throw fileFault("read", name, error);
  }
}

async function editFile<T>(
  folder: Folder,
  name: string,
  maxBytes: number,
  change: TextChange<T>,
): Promise<Result<T, Refusal>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = signature(folder.at(name));
    const current = await readInside(folder.at("."), name, { maxBytes });
    if (!current.ok && current.error.code !== "not_found") return current;
    const text = current.ok ? current.value : null;
    const changed = change(text);
    if (!changed.ok) return changed;
    if (changed.value.text === text) return ok(changed.value.value);
    if (Buffer.byteLength(changed.value.text) > maxBytes) return refuseSize(name, maxBytes);

    const staged = await stageFile(folder.at("."), changed.value.text, name);
    try {
      if (signature(folder.at(name)) === before && folder.unmoved()) {
        if (staged.publish(folder.at(name), { exclusive: text === null }) === "written") return ok(changed.value.value);
      }
    } finally {
      staged.discard();
    }
  }
  return refuse("conflict", `"${name}" keeps being changed by another program`, { hint: "try again in a moment" });
}

function signature(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : stampOf(stats);
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
