import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
} from "node:fs";
import { join } from "node:path";
import { ok } from "../kernel/result.ts";
import type { Result } from "../kernel/result.ts";
import { refuse } from "../kernel/refusal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { errnoOf, fileFault } from "./file-fault.ts";

/**
 * A folder held open, so that what is done in it happens there even if its path is swapped for a link meanwhile. Linux
 * lets us name files relative to an open folder (`/proc/self/fd/N/name`); every segment is opened that way in turn and
 * links are never followed. Where that is missing the path is walked and its folders are compared again on demand.
 */
export interface Folder extends Disposable {
  /** A path of `name` in this very folder, good until the folder is disposed. Never shown to people. */
  at(name: string): string;
  /** False when the folder's path leads elsewhere by now. Always true where the folder is held open. */
  unmoved(): boolean;
}

export interface FolderOptions {
  /** Make what is missing, the root included. */
  readonly create?: boolean;
  /** False: walk by path even where folders can be held open. */
  readonly hold?: boolean;
}

type Refused = { readonly ok: false; readonly error: Refusal };

const CAN_HOLD = canHold();

/**
 * Opens `root/segments...`. The root is trusted and may be a link itself; below it every segment must be a real
 * folder. Segments have passed `checkFileName`. A missing one is `not_found` unless it is to be made.
 */
export function openFolder(
  root: string,
  segments: readonly string[],
  options: FolderOptions = {},
): Result<Folder, Refusal> {
  const label = segments.length === 0 ? "the folder" : segments.join("/");
  try {
    if (options.create === true) mkdirSync(root, { recursive: true });
    else if (isMissing(root, segments)) return missing(label);
    return CAN_HOLD && options.hold !== false ? hold(root, segments, options) : walk(root, segments, options);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return missing(label);
    if (errno === "ENOTDIR" || errno === "ELOOP") return refuseSegment(label);
    throw fileFault(options.create === true ? "write" : "read", label, error);
  }
}

/** Most agents and workspaces never make their folders, and every prompt asks for them: that answer must be cheap. */
function isMissing(root: string, segments: readonly string[]): boolean {
  let path = root;
  for (const segment of segments) {
    path = join(path, segment);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return true;
    if (!stats.isDirectory()) return false;
  }
  return false;
}

function hold(root: string, segments: readonly string[], options: FolderOptions): Result<Folder, Refusal> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  // The root is trusted: without anything to make in it, the first folder can be opened through its path.
  const direct = options.create === true ? [] : segments.slice(0, 1);
  let fd = openSync(join(root, ...direct), direct.length === 0 ? flags : flags | constants.O_NOFOLLOW);
  try {
    for (const segment of segments.slice(direct.length)) {
      const path = `/proc/self/fd/${fd}/${segment}`;
      if (options.create === true && makeFolder(path)) fsyncSync(fd);
      const next = openSync(path, flags | constants.O_NOFOLLOW);
      closeSync(fd);
      fd = next;
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  let open = true;
  return ok({
    at: (name) => `/proc/self/fd/${fd}/${name}`,
    unmoved: () => true,
    [Symbol.dispose]: () => {
      if (open) closeSync(fd);
      open = false;
    },
  });
}

function walk(root: string, segments: readonly string[], options: FolderOptions): Result<Folder, Refusal> {
  const start = realpathSync(root);
  const look = (): string[] | Refused => {
    const seen: string[] = [];
    let path = start;
    for (const segment of ["", ...segments]) {
      path = join(path, segment);
      if (options.create === true) makeFolder(path);
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return refuseSegment(segments.join("/"));
      seen.push(`${stats.dev}:${stats.ino}`);
    }
    return seen;
  };
  const before = look();
  if (!Array.isArray(before)) return before;
  return ok({
    at: (name) => join(start, ...segments, name),
    unmoved: () => {
      const after = look();
      return Array.isArray(after) && after.join() === before.join();
    },
    [Symbol.dispose]: () => undefined,
  });
}

/** The names in a folder, in no order. None when the folder was deleted while it was held. */
export function namesIn(folder: Folder, label: string): string[] {
  try {
    return readdirSync(folder.at("."));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw fileFault("read", label, error);
  }
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o755 });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

function missing(label: string): Refused {
  return refuse("not_found", `there is no folder "${label}"`);
}

function refuseSegment(label: string): Refused {
  return refuse("forbidden", `"${label}" is refused: it is not a real folder, or passes through a symbolic link`, {
    hint: "replace the link by a real folder",
  });
}

function canHold(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const fd = openSync("/", constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      const [held, root] = [lstatSync(`/proc/self/fd/${fd}/.`), fstatSync(fd)];
      return held.ino === root.ino && held.dev === root.dev;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
