import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { Fault } from "../kernel/fault.ts";
import { refuse } from "../kernel/refusal.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { Result } from "../kernel/result.ts";
import { openInside } from "./confined-path.ts";
import { errnoOf } from "./file-fault.ts";

/**
 * Reads a small UTF-8 file and drops a byte order mark. Never blocks (a pipe or device is opened without waiting, then
 * refused) and never reads more than `limit` bytes. A refusal has `details.line` and `details.column` where it is about
 * a place in the file. Only for files that a person chose; files named in a definition are read with `readTextInside`.
 */
export function readText(path: string, limit: number): Result<string, Refusal> {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readOpen(fd, limit);
  } catch (error) {
    return refuseErrno(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** The same for a path that must stay inside `root`. */
export function readTextInside(root: string, relative: string, limit: number): Result<string, Refusal> {
  return withFileInside(root, relative, (fd) => readOpen(fd, limit));
}

/** Whether `readTextInside` would find a file to read. */
export function checkTextInside(root: string, relative: string): Result<void, Refusal> {
  return withFileInside(root, relative, () => ok(undefined));
}

/** A disk error is a refusal here, so that the other files still load. */
function withFileInside<T>(
  root: string,
  relative: string,
  use: (fd: number) => Result<T, Refusal>,
): Result<T, Refusal> {
  try {
    const opened = openInside(root, relative, constants.O_RDONLY, { hidden: true });
    if (!opened.ok) return opened;
    using file = opened.value;
    return use(file.fd);
  } catch (error) {
    return refuseErrno(error instanceof Fault && error.cause !== undefined ? error.cause : error);
  }
}

function readOpen(fd: number, limit: number): Result<string, Refusal> {
  const stats = fstatSync(fd);
  if (!stats.isFile()) return refuse("invalid", "This is not a regular file.");
  if (stats.size > limit) return tooLarge(limit);
  const buffer = Buffer.allocUnsafe(stats.size + 1);
  let length = 0;
  for (;;) {
    const bytes = readSync(fd, buffer, length, buffer.length - length, length);
    length += bytes;
    if (length === buffer.length) {
      return refuse("unavailable", "The file grew while it was read.", { hint: "Try again." });
    }
    if (bytes === 0 || length === stats.size) return decode(buffer.subarray(0, length));
  }
}

function decode(bytes: Buffer): Result<string, Refusal> {
  if (isUtf8(bytes)) return ok(bytes.toString("utf8", startsWithMark(bytes) ? BYTE_ORDER_MARK.length : 0));
  const mark = bytes.length > 1 ? bytes.readUInt16BE(0) : 0;
  const utf16 = mark === 0xfeff || mark === 0xfffe;
  return refuse("invalid", utf16 ? "The file is UTF-16, not UTF-8." : "The file is not valid UTF-8.", {
    hint: "Save the file with UTF-8 encoding.",
    details: utf16 ? {} : firstBadByte(bytes),
  });
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

function startsWithMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
}

/** A newline is never part of a longer UTF-8 sequence, so each line can be checked alone. */
function firstBadByte(bytes: Buffer): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(0x0a, start);
    const content = bytes.subarray(start, newline === -1 ? bytes.length : newline);
    if (newline === -1 || !isUtf8(content)) return { line, column: content.toString("utf8").indexOf("\uFFFD") + 1 };
    start = newline + 1;
    line += 1;
  }
}

function tooLarge(limit: number): Result<never, Refusal> {
  return refuse("too_large", `The file is larger than ${Math.floor(limit / 1024)} KiB.`);
}

function refuseErrno(error: unknown): Result<never, Refusal> {
  const errno = errnoOf(error);
  if (errno === "ENOENT" || errno === "ENOTDIR") return refuse("not_found", "The file does not exist.");
  if (errno === "EACCES" || errno === "EPERM") {
    return refuse("forbidden", "The file may not be read.", { hint: "Check the permissions of the file." });
  }
  if (errno === "ELOOP") return refuse("invalid", "The file is a symbolic link that leads to itself.");
  if (errno === "ENXIO" || errno === "EISDIR") return refuse("invalid", "This is not a regular file.");
  if (errno === undefined) throw error;
  return refuse("unavailable", `The file could not be read (${errno}).`, { hint: "Try again." });
}
