import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, read, type Stats } from "node:fs";
import { promisify } from "node:util";
import { refuse } from "../kernel/refusal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { Result } from "../kernel/result.ts";
import { openFolder, type Folder } from "./confined-folder.ts";
import { errnoOf, fileFault } from "./file-fault.ts";
import { narrowerMode, objectionToFile } from "./private-file.ts";

/**
 * The only place where names from agents, requests and YAML become paths. A name is first checked as text, by rules
 * that hold on every operating system. Then the file is opened: links are not followed, pipes are not waited for, and a
 * file with a second hard link is refused.
 */
export interface NameRules {
  /** Allow segments that start with a dot, for paths that a person configured (".agents/alice"). */
  readonly hidden?: boolean;
  /** Refuse names that contain a folder. */
  readonly flat?: boolean;
}

const MAX_SEGMENT_BYTES = 255;
const MAX_NAME_BYTES = 1024;
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?$/i;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Returns the name in its canonical spelling (NFC, "/" between segments), or a refusal. Touches no file. */
export function checkFileName(relative: string, rules: NameRules = {}): Result<string, Refusal> {
  const bad = (why: string): Result<string, Refusal> =>
    refuse("invalid", `The file name ${quote(relative)} ${why}.`, {
      hint: 'Use a plain relative name such as "notes.md" or "plans/week-1.md".',
    });

  if (relative === "") return bad("is empty");
  if (Buffer.byteLength(relative) > MAX_NAME_BYTES) return bad(`is longer than ${MAX_NAME_BYTES} bytes`);
  if (!relative.isWellFormed() || UNSEEN.test(relative)) return bad("holds invisible characters");
  if (relative.includes("\\")) return bad("holds a backslash");
  if (relative.startsWith("/") || /^[a-zA-Z]:/.test(relative)) return bad("is absolute");
  if (/[<>:"|?*]/.test(relative)) return bad('holds one of < > : " | ? *');

  const segments = relative.normalize("NFC").split("/");
  if (rules.flat === true && segments.length > 1) return bad("names a folder");
  for (const segment of segments) {
    if (segment === "") return bad("has an empty part");
    if (segment === "." || segment === "..") return bad(`holds "${segment}"`);
    if (rules.hidden !== true && segment.startsWith(".")) return bad("is hidden (a part starts with a dot)");
    if (/^\s|[\s.]$/.test(segment)) return bad("has a part that starts with a space or ends with a space or a dot");
    if (RESERVED.test(segment)) return bad(`uses the reserved name "${segment}"`);
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return bad(`has a part longer than ${MAX_SEGMENT_BYTES} bytes`);
  }
  return ok(segments.join("/"));
}

/** Equal for two names that are one file on a case-insensitive, normalising file system. */
export function foldName(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

/** An open regular file with one hard link, verified to be inside its root. Closing twice is harmless. */
export interface OpenedFile extends Disposable {
  readonly fd: number;
  readonly size: number;
  readonly mode: number;
}

/**
 * Opens a regular file below `root`. With `O_CREAT` a missing file is created with mode 0600; missing folders are not.
 * On Linux, replacing a folder by a link cannot lead outside, because every folder stays open. Elsewhere the folders are
 * compared before and after; a replacement that is undone between the two checks is not detected. Below `.workspace` a
 * file of another user is refused, and a file that others can read is narrowed to 0600.
 */
export function openInside(
  root: string | Folder,
  relative: string,
  flags: number = constants.O_RDONLY,
  rules: NameRules = {},
): Result<OpenedFile, Refusal> {
  const name = checkFileName(relative, rules);
  if (!name.ok) return name;
  const segments = name.value.split("/");
  const last = segments.pop() ?? "";
  const opened = openFolder(root, segments);
  if (!opened.ok) return opened.error.code === "not_found" ? refuseMissing(relative) : opened;
  using folder = opened.value;

  const path = folder.at(last);
  const creates = (flags & constants.O_CREAT) !== 0;
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before === undefined && !creates) return refuseMissing(relative);
  if (before?.isSymbolicLink() === true) return refuseLink(relative);
  if (before !== undefined && !before.isFile()) return refuseKind(relative);

  let fd: number;
  try {
    fd = openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return refuseMissing(relative);
    if (errno === "ELOOP") return refuseLink(relative);
    if (errno === "ENXIO" || errno === "EISDIR") return refuseKind(relative);
    throw fileFault(creates ? "write" : "read", relative, error);
  }
  const stats = fstatSync(fd);
  const refusal = !stats.isFile()
    ? refuseKind(relative)
    : stats.nlink > 1
      ? refuse("forbidden", `${quote(relative)} is refused: the file has a second name elsewhere (a hard link).`, {
          hint: "Replace it by a copy.",
        })
      : folder.unmoved()
        ? refuseForeign(relative, folder, stats)
        : refuseLink(relative);
  if (refusal !== undefined) {
    closeSync(fd);
    return refusal;
  }
  const narrower = folder.isPrivate ? narrowerMode(stats) : undefined;
  if (narrower !== undefined) fchmodSync(fd, narrower);
  let open = true;
  const dispose = (): void => {
    if (open) closeSync(fd);
    open = false;
  };
  return ok({ fd, size: stats.size, mode: narrower ?? stats.mode & 0o777, [Symbol.dispose]: dispose });
}

const readAsync = promisify(read);

/** Returns the text of a file below `root`. Refuses a file that is larger than `maxBytes` or not UTF-8. */
export async function readInside(
  root: string | Folder,
  relative: string,
  limits: { readonly maxBytes: number },
  rules: NameRules = {},
): Promise<Result<string, Refusal>> {
  const opened = openInside(root, relative, constants.O_RDONLY, rules);
  if (!opened.ok) return opened;
  using file = opened.value;
  if (file.size > limits.maxBytes) return refuseSize(relative, limits.maxBytes);
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const room = Math.min(limits.maxBytes + 1 - total, 1 << 18);
    const { bytesRead, buffer } = await readAsync(file.fd, Buffer.alloc(room), 0, room, total).catch(
      (error: unknown) => {
        throw fileFault("read", relative, error);
      },
    );
    if (bytesRead === 0) return decodeText(relative, Buffer.concat(chunks));
    total += bytesRead;
    if (total > limits.maxBytes) return refuseSize(relative, limits.maxBytes);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/** Keeps a byte order mark, so that writing the text back changes nothing. */
function decodeText(relative: string, bytes: Uint8Array): Result<string, Refusal> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return refuse("invalid", `${quote(relative)} is not text: it holds bytes that are not UTF-8.`, {
      hint: "Convert the file to UTF-8.",
    });
  }
}

export function refuseSize(relative: string, maxBytes: number): { readonly ok: false; readonly error: Refusal } {
  return refuse("too_large", `${quote(relative)} is larger than ${maxBytes} bytes.`, {
    hint: "Split it into several files.",
    details: { maxBytes },
  });
}

function refuseMissing(relative: string): { readonly ok: false; readonly error: Refusal } {
  return refuse("not_found", `There is no file ${quote(relative)}.`, { hint: "List the files to see their names." });
}

function refuseLink(relative: string): { readonly ok: false; readonly error: Refusal } {
  return refuse("forbidden", `${quote(relative)} is refused: it is, or passes through, a symbolic link.`, {
    hint: "Replace the link by a real file or folder.",
  });
}

function refuseForeign(
  relative: string,
  folder: Folder,
  stats: Stats,
): { readonly ok: false; readonly error: Refusal } | undefined {
  const objection = folder.isPrivate ? objectionToFile(stats) : undefined;
  return objection === undefined ? undefined : refuse("forbidden", `${quote(relative)} is refused: it ${objection}.`);
}

function refuseKind(relative: string): { readonly ok: false; readonly error: Refusal } {
  return refuse("forbidden", `${quote(relative)} is refused: it is not a regular file.`);
}

/** A name for messages: escaped and shortened. */
function quote(name: string): string {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return JSON.stringify(shown);
}
