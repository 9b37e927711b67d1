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
import { refuse } from "../kernel/refusal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { Result } from "../kernel/result.ts";
import { errnoOf, fileFault } from "./file-fault.ts";

/**
 * An open folder. Files in it are reached through the folder itself, even when its path is replaced by a link meanwhile.
 * Linux names files relative to an open folder (`/proc/self/fd/N/name`); every segment is opened that way, and links are
 * never followed. On other systems the path is walked, and its folders are compared again on demand.
 */
export interface Folder extends Disposable {
  /** Returns a path of `name` in this folder, valid until the folder is disposed. Not for messages. */
  at(name: string): string;
  /** False when the folder's path now leads elsewhere. Always true on Linux, where the folder stays open. */
  unmoved(): boolean;
}

export interface FolderOptions {
  /** Create missing folders, including the root. */
  readonly create?: boolean;
  /** False: walk by path even where folders can stay open. */
  readonly hold?: boolean;
}

type Refused = { readonly ok: false; readonly error: Refusal };

const CAN_HOLD = canHold();

/**
 * Opens `root/segments...`. The root is trusted and may be a link; every segment below it must be a real folder and
 * must have passed `checkFileName`. Refuses a missing folder with `not_found`, unless `create` is set.
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

/** A check without opening: every prompt needs these folders, and most agents and workspaces do not have them. */
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
  // The root is trusted. If nothing has to be created in it, the first folder can be opened by its path.
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
  const identities = (): string[] | Refused => {
    const found: string[] = [];
    let path = start;
    for (const segment of ["", ...segments]) {
      path = join(path, segment);
      if (options.create === true) makeFolder(path);
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return refuseSegment(segments.join("/"));
      found.push(`${stats.dev}:${stats.ino}`);
    }
    return found;
  };
  const before = identities();
  if (!Array.isArray(before)) return before;
  return ok({
    at: (name) => join(start, ...segments, name),
    unmoved: () => {
      const after = identities();
      return Array.isArray(after) && after.join() === before.join();
    },
    [Symbol.dispose]: () => undefined,
  });
}

/** Returns the names in a folder, unordered. Empty when the folder was deleted while it was open. */
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
      const [viaProc, root] = [lstatSync(`/proc/self/fd/${fd}/.`), fstatSync(fd)];
      return viaProc.ino === root.ino && viaProc.dev === root.dev;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
