import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { join, sep } from "node:path";
import { refuse } from "../kernel/refusal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { Result } from "../kernel/result.ts";
import { errnoOf, fileFault } from "./file-fault.ts";
import { flushFolder } from "./flush-folder.ts";
import { narrowerMode, objectionToFolder } from "./private-file.ts";

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
  /** How many of its last segments were created and are not flushed yet: see `flushCreated`. */
  readonly created: number;
  /** Called when they are flushed. */
  flushed(): void;
  /** `.workspace` or below it: ours alone, so its folders have mode 0700 and its files 0600. */
  readonly isPrivate: boolean;
}

export interface FolderOptions {
  /** Create missing folders, including the root. */
  readonly create?: boolean;
  /** Mode of the folders that are created. Default: 0755; below `.workspace` it is always 0700. */
  readonly mode?: number;
  /** True: the caller flushes what is created with `flushCreated`, which does not block the process as a flush here does. */
  readonly flushLater?: boolean;
  /** False: walk by path even where folders can stay open. */
  readonly hold?: boolean;
}

type Refused = { readonly ok: false; readonly error: Refusal };

/** The folder of a project that is ours alone. Other folders of the project have the modes that their user gave them. */
const PRIVATE_FOLDER = ".workspace";

const CAN_HOLD = canHold();

/**
 * Opens `root/segments...`. The root is trusted and may be a link; every segment below it must be a real folder and
 * must have passed `checkFileName`. Refuses a missing folder with `not_found`, unless `create` is set. A `.workspace` in
 * the root is made ours alone, and refused when it belongs to another user.
 */
export function openFolder(
  root: string | Folder,
  segments: readonly string[],
  options: FolderOptions = {},
): Result<Folder, Refusal> {
  const label = segments.length === 0 ? "the folder" : segments.join("/");
  const path = pathOf(root);
  try {
    if (options.create === true) mkdirSync(path, { recursive: true });
    else if (isMissing(path, segments)) return missing(label);
    const isPrivate = typeof root === "string" ? segments[0] === PRIVATE_FOLDER : root.isPrivate;
    const wanted = { ...options, isPrivate };
    return CAN_HOLD && options.hold !== false ? hold(path, segments, wanted) : walk(path, segments, wanted);
  } catch (error) {
    if (error instanceof UnsafeFolder) return refuseUnsafe(error);
    const errno = errnoOf(error);
    if (errno === "ENOENT") return missing(label);
    if (errno === "ENOTDIR" || errno === "ELOOP") return refuseSegment(label);
    throw fileFault(options.create === true ? "write" : "read", label, error);
  }
}

/** Returns the path of an open folder, or of one that is named by its path. */
function pathOf(folder: string | Folder): string {
  return typeof folder === "string" ? folder : folder.at(".");
}

/** Returns the mode that a file written in this folder must have; undefined when the mode it has is kept. */
export function fileModeIn(folder: Folder): number | undefined {
  return folder.isPrivate ? 0o600 : undefined;
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

interface WantedFolder extends FolderOptions {
  readonly isPrivate: boolean;
}

function hold(root: string, segments: readonly string[], options: WantedFolder): Result<Folder, Refusal> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  // The root is trusted. If nothing has to be created in it, the first folder can be opened by its path.
  const direct = options.create === true ? [] : segments.slice(0, 1);
  let fd = openSync(join(root, ...direct), direct.length === 0 ? flags : flags | constants.O_NOFOLLOW);
  let created = 0;
  try {
    for (const [index, segment] of segments.entries()) {
      if (index >= direct.length) {
        const path = `/proc/self/fd/${fd}/${segment}`;
        const isNew = options.create === true && makeFolder(path, options);
        if (isNew && options.flushLater === true) created += 1;
        else if (isNew || (options.create === true && isUnflushed(root, segments.slice(0, index + 1)))) fsyncSync(fd);
        const next = openSync(path, flags | constants.O_NOFOLLOW);
        closeSync(fd);
        fd = next;
      }
      if (options.isPrivate) makePrivate(segment, fstatSync(fd), (mode) => fchmodSync(fd, mode));
    }
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  if (created > 0) UNFLUSHED.add(join(root, ...segments));
  let open = true;
  return ok({
    at: (name) => `/proc/self/fd/${fd}/${name}`,
    unmoved: () => true,
    created,
    flushed: () => void UNFLUSHED.delete(join(root, ...segments)),
    isPrivate: options.isPrivate,
    [Symbol.dispose]: () => {
      if (open) closeSync(fd);
      open = false;
    },
  });
}

function walk(root: string, segments: readonly string[], options: WantedFolder): Result<Folder, Refusal> {
  const start = realpathSync(root);
  const identities = (): string[] | Refused => {
    const found: string[] = [];
    let path = start;
    for (const segment of ["", ...segments]) {
      path = join(path, segment);
      if (options.create === true) makeFolder(path, options);
      const stats = lstatSync(path);
      if (!stats.isDirectory()) return refuseSegment(segments.join("/"));
      if (options.isPrivate && segment !== "") makePrivate(segment, stats, (mode) => chmodSync(path, mode));
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
    created: 0,
    flushed: () => {},
    isPrivate: options.isPrivate,
    [Symbol.dispose]: () => undefined,
  });
}

/** New folders that are not flushed yet, and their flushes. Who finds such a folder does not rely on it before. */
const UNFLUSHED = new Set<string>();
const FLUSHES = new Set<Promise<void>>();

/** Whether a new folder that is not flushed yet is this one, or below it. */
function isUnflushed(root: string, segments: readonly string[]): boolean {
  if (UNFLUSHED.size === 0) return false;
  const path = join(root, ...segments);
  return [...UNFLUSHED].some((each) => each === path || each.startsWith(path + sep));
}

/** Resolves when the folder, and those above it, survive a crash. Call it before anything is written in the folder. */
export async function flushCreated(folder: Folder): Promise<void> {
  if (folder.created > 0) {
    const flush = flushAbove(folder);
    FLUSHES.add(flush);
    await flush.finally(() => FLUSHES.delete(flush));
  } else if (FLUSHES.size > 0) await Promise.allSettled(FLUSHES);
}

/** What is below a new folder is new, too. The parent of an open folder is the real one, whatever its path is now. */
async function flushAbove(folder: Folder): Promise<void> {
  for (let level = 1; level <= folder.created; level += 1) await flushFolder(folder.at("../".repeat(level)));
  folder.flushed();
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

/** Thrown while a path is walked; `openFolder` returns it as a refusal. */
class UnsafeFolder extends Error {}

/** Also for an existing folder, which an older version made wider. */
function makePrivate(name: string, stats: Stats, setMode: (mode: number) => void): void {
  const objection = objectionToFolder(stats);
  if (objection !== undefined) throw new UnsafeFolder(`"${name}" ${objection}`);
  const mode = narrowerMode(stats);
  if (mode !== undefined) setMode(mode);
}

function makeFolder(path: string, { isPrivate, mode = 0o755 }: WantedFolder): boolean {
  try {
    mkdirSync(path, { mode: isPrivate ? 0o700 : mode });
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

function missing(label: string): Refused {
  return refuse("not_found", `There is no folder "${label}".`);
}

function refuseSegment(label: string): Refused {
  return refuse("forbidden", `"${label}" is refused: it is not a real folder, or passes through a symbolic link.`, {
    hint: "Put a real folder in its place.",
  });
}

function refuseUnsafe({ message }: UnsafeFolder): Refused {
  return refuse("forbidden", `${message}: it is not used.`, { hint: "Find out who made it, then move it away." });
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
