import { lstatSync, readdirSync, readSync } from "node:fs";
import type { Clock } from "../../kernel/clock.ts";
import type { FileEffect, StagedChange } from "../../kernel/file-effect.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { stageFile, stageLasting, sweepStaged } from "../atomic-write.ts";
import type { LastingStagedFile, StagedFile } from "../atomic-write.ts";
import { flushCreated, openFolder } from "../confined-folder.ts";
import type { Folder } from "../confined-folder.ts";
import { checkFileName, openInside, readInside, refuseSize } from "../confined-path.ts";
import type { OpenedFile } from "../confined-path.ts";
import { fileFault } from "../file-fault.ts";
import { withFileLock } from "../file-lock.ts";
import { stampAt, stampOf } from "../file-stamp.ts";

/**
 * One folder of a personal context (memory, notes, ...). All access to its files goes through this interface. A read
 * sees a whole file, old or new. Writers hold the folder's lock; a person's editor does not, so an edit is repeated when
 * the file has changed meanwhile.
 */
export interface Area {
  /** Lists the visible files directly in the folder, by name; empty when the folder is missing. */
  files(): Result<readonly AreaFile[], Refusal>;
  read(name: string, maxBytes: number): Promise<Result<string, Refusal>>;
  /** Returns the last complete lines of a file, at most `maxBytes`. Never refuses because of the size. */
  tail(name: string, maxBytes: number): Result<string, Refusal>;
  /** Creates the folder if needed and runs `fn` as its only writer. */
  locked<T>(fn: (folder: Folder) => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
  /**
   * Replaces the text of a file by the result of `change`, which gets the current text (null when missing). `change` must
   * be pure, because it may run again. An unchanged text is not written.
   */
  edit<T>(name: string, maxBytes: number, change: TextChange<T>, effect?: FileEffect<T>): Promise<Result<T, Refusal>>;
  /** Where a file of the folder waits that was staged with `stageLasting`. */
  changeOf(staged: LastingStagedFile, file: string): StagedChange;
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

export type TextChange<T> = (text: string | null) => Result<{ readonly text: string; readonly value: T }, Refusal>;

export interface AreaPlace {
  /** Trusted folder, usually the project. */
  readonly root: string;
  /** Checked path segments from the root to the folder. */
  readonly segments: readonly string[];
  readonly clock: Clock;
}

const MAX_ATTEMPTS = 10;

export function createArea({ root, segments, clock }: AreaPlace): Area {
  const locked: Area["locked"] = async (fn) => {
    const opened = openFolder(root, segments, { create: true, flushLater: true });
    if (!opened.ok) return opened;
    using folder = opened.value;
    await flushCreated(folder);
    return await withFileLock(folder.at(".lock"), clock, async () => {
      sweepStaged(folder.at("."), clock.now());
      return await fn(folder);
    });
  };

  const changeOf: Area["changeOf"] = ({ name: staged }, file) => ({ root, folder: segments, staged, file });

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
    edit: async (name, maxBytes, change, effect) => {
      const begin = effect === undefined ? undefined : { ...effect, changeOf };
      return await locked(async (folder) => editFile(folder, { name, maxBytes, change, effect: begin }));
    },
    changeOf,
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

interface Edit<T> {
  readonly name: string;
  readonly maxBytes: number;
  readonly change: TextChange<T>;
  readonly effect: (FileEffect<T> & Pick<Area, "changeOf">) | undefined;
}

async function editFile<T>(folder: Folder, { name, maxBytes, change, effect }: Edit<T>): Promise<Result<T, Refusal>> {
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
      await effect.begin(effect.changeOf(lasting, name), value);
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
