import {
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  readdirSync,
  readSync,
  rmSync,
  write,
} from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "../../kernel/clock.ts";
import type { FileEffect, StagedChange } from "../../kernel/file-effect.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { renameIfFree, stageFile, stageLasting, sweepStaged, writeFileAtomic } from "../atomic-write.ts";
import type { LastingStagedFile, StagedFile } from "../atomic-write.ts";
import { flushCreated, openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { checkFileName, foldName, openInside, readInside, refuseSize } from "../confined-path.ts";
import type { OpenedFile } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { withFileLock } from "../file-lock.ts";
import { stampAt, stampOf } from "../file-stamp.ts";
import { flushFolder } from "../flush-folder.ts";
import { ARCHIVE, lastLines, numberedNames } from "./area.ts";
import type { Area, AreaFile, TextChange } from "./area.ts";
import { missingBytes } from "./resumable-append.ts";

export interface AreaPlace {
  /** Trusted folder, usually the project. */
  readonly root: string;
  /** Checked path segments from the root to the folder. */
  readonly segments: readonly string[];
  readonly clock: Clock;
}

const MAX_ATTEMPTS = 10;

const writeAsync = promisify(write);
const syncAsync = promisify(fdatasync);

/**
 * A folder on disk. Writers hold the folder's lock; a person's editor does not, so an edit is repeated when the file has
 * changed meanwhile.
 */
export function createFileArea({ root, segments, clock }: AreaPlace): Area {
  /** Creates the folder if needed and runs `fn` as its only writer. */
  const locked = async <T>(fn: (folder: Folder) => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> => {
    const opened = openFolder(root, segments, { create: true, flushLater: true });
    if (!opened.ok) return opened;
    using folder = opened.value;
    await flushCreated(folder);
    return await withFileLock(folder.at(".lock"), clock, async () => {
      sweepStaged(folder.at("."), clock.now());
      return await fn(folder);
    });
  };
  /** Where a file of the folder waits that was staged with `stageLasting`. */
  const changeOf = ({ name: staged }: LastingStagedFile, file: string): StagedChange => ({
    root,
    folder: segments,
    staged,
    file,
  });
  const files: Area["files"] = async () => {
    const opened = openFolder(root, segments);
    if (!opened.ok) return opened.error.code === "not_found" ? ok([]) : opened;
    using folder = opened.value;
    return ok(visibleFiles(folder));
  };
  const read: Area["read"] = async (name, maxBytes) => {
    const opened = openFolder(root, segments);
    if (!opened.ok) {
      return opened.error.code === "not_found" ? refuse("not_found", `there is no file "${name}"`) : opened;
    }
    using folder = opened.value;
    return await readInside(folder.at("."), name, { maxBytes });
  };

  return {
    files,
    read,
    tail: async (name, maxBytes) => {
      const opened = openFolder(root, segments);
      if (!opened.ok) return opened;
      using folder = opened.value;
      const found = openInside(folder.at("."), name);
      if (!found.ok) return found;
      using file = found.value;
      return ok(readTail(file, name, maxBytes));
    },
    edit: (name, maxBytes, change, effect) =>
      locked((folder) => editFile(folder, { name, maxBytes, change, effect, changeOf })),
    add: (names, text, valueOf, effect) =>
      locked(async (folder) => {
        const taken = new Set(visibleFiles(folder).map((file) => foldName(file.name)));
        for (const name of names) {
          if (taken.has(foldName(name))) continue;
          const value = valueOf(name);
          if (effect === undefined) {
            const outcome = await writeFileAtomic(folder.at(name), text, { exclusive: true, label: name });
            if (outcome === "written") return ok(value);
            continue;
          }
          const staged = await stageLasting(folder.at("."), text, effect.id, name);
          await effect.begin(changeOf(staged, name), value);
          if (staged.publish(folder.at(name), { exclusive: true }) === "written") return ok(value);
        }
        return refuse("conflict", "there is no free name for the file");
      }),
    remove: (name, maxBytes, check) =>
      locked(async (folder) => {
        const text = await read(name, maxBytes);
        if (!text.ok) return text;
        const checked = check(text.value);
        if (checked.ok) rmSync(folder.at(name), { force: true });
        return checked;
      }),
    append: (name, block, sizeBefore) =>
      locked(async (folder) => {
        const opened = openInside(folder.at("."), name, constants.O_RDWR | constants.O_CREAT);
        if (!opened.ok) return opened;
        using file = opened.value;
        const identity = String(fstatSync(file.fd, { bigint: true }).ino);
        const missing = missingBytes({ size: file.size, read: readerOf(file) }, block, sizeBefore(identity));
        await appendWhole(file, missing, name);
        if (file.size === 0) await flushFolder(folder.at("."));
        return ok({ identity, size: file.size + missing.length });
      }),
    archive: async (choose) => {
      const listed = await files();
      if (!listed.ok) return listed;
      if (choose(listed.value).length === 0) return ok([]);
      return await locked(async (folder) => {
        const opened = openFolder(folder.at("."), [ARCHIVE], { create: true });
        if (!opened.ok) return opened;
        using archive = opened.value;
        return ok(choose(visibleFiles(folder)).map(({ name }) => `${ARCHIVE}/${moveTo(folder, archive, name)}`));
      });
    },
  };
}

/** Lists the files that `read` accepts by type and name. */
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

function readerOf({ fd, size }: OpenedFile): (start: number, maxBytes: number) => Buffer {
  return (start, maxBytes) => {
    const bytes = Buffer.alloc(Math.min(maxBytes, size - start));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start));
  };
}

function readTail(file: OpenedFile, name: string, maxBytes: number): string {
  const start = Math.max(0, file.size - maxBytes);
  try {
    return lastLines(readerOf(file)(start, file.size - start), start === 0);
  } catch (error) {
    throw fileFault("read", name, error);
  }
}

async function appendWhole(file: OpenedFile, data: Buffer, name: string): Promise<void> {
  try {
    for (let done = 0; done < data.length;) {
      const { bytesWritten } = await writeAsync(file.fd, data, done, data.length - done, file.size + done);
      done += bytesWritten;
    }
    await syncAsync(file.fd);
  } catch (error) {
    ftruncateSync(file.fd, file.size);
    throw fileFault("write", name, error);
  }
}

function moveTo(folder: Folder, archive: Folder, name: string): string {
  const taken = new Set(visibleFiles(archive).map((file) => foldName(file.name)));
  for (const target of numberedNames(name)) {
    if (taken.has(foldName(target))) continue;
    try {
      if (renameIfFree(folder.at(name), archive.at(target))) return target;
    } catch (error) {
      throw fileFault("write", name, error);
    }
  }
  throw new Error("the numbers never end");
}

interface Edit<T> {
  readonly name: string;
  readonly maxBytes: number;
  readonly change: TextChange<T>;
  readonly effect: FileEffect<T> | undefined;
  readonly changeOf: (staged: LastingStagedFile, file: string) => StagedChange;
}

async function editFile<T>(folder: Folder, edit: Edit<T>): Promise<Result<T, Refusal>> {
  const { name, maxBytes, change, effect, changeOf } = edit;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = stampAt(folder.at(name));
    const current = await readInside(folder.at("."), name, { maxBytes });
    if (!current.ok && current.error.code !== "not_found") return current;
    const text = current.ok ? current.value : null;
    const changed = change(text);
    if (!changed.ok) return changed;
    if (changed.value.text === text) return ok(changed.value.value);
    if (Buffer.byteLength(changed.value.text) > maxBytes) return refuseSize(name, maxBytes);

    const { text: newText, value } = changed.value;
    let staged: StagedFile;
    if (effect === undefined) {
      staged = await stageFile(folder.at("."), newText, name);
    } else {
      const lasting = await stageLasting(folder.at("."), newText, effect.id, name);
      await effect.begin(changeOf(lasting, name), value);
      staged = lasting;
    }
    try {
      if (stampAt(folder.at(name)) === before && folder.unmoved()) {
        if (staged.publish(folder.at(name), { exclusive: text === null }) === "written") return ok(value);
      }
    } finally {
      staged.discard();
    }
  }
  return refuse("conflict", `"${name}" keeps being changed by another program`, { hint: "try again in a moment" });
}
