import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import type { Clock } from "../../kernel/clock.ts";

const POLL_MS = 200;
const CHUNK = 64 * 1024;

/** A reading position in a file that is rotated. */
export interface FilePosition {
  /** Inode; 0 when there is no file. */
  readonly file: number;
  readonly offset: number;
}

/** Returns the last complete lines of a file and of the rotated file before it. */
export function lastLines(
  path: string,
  count: number,
): { readonly lines: readonly string[]; readonly end: FilePosition } {
  const { lines, end } = readIfPresent(path);
  const rotated = lines.length < count ? readIfPresent(`${path}.1`).lines : [];
  return { lines: count === 0 ? [] : [...rotated, ...lines].slice(-count), end };
}

/** Yields the lines written after a position, also into the files that replace this one, until the signal. */
export async function* followFile(
  path: string,
  from: FilePosition,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let { file, offset } = from;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    const current = inodeOf(path);
    if (current !== file) {
      ({ file, offset } = { file: current, offset: 0 });
      rest = Buffer.alloc(0);
    }
    const added = current === 0 ? Buffer.alloc(0) : readFrom(path, offset);
    offset += added.length;
    rest = Buffer.concat([rest, added]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      yield rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
    }
    if (added.length === 0) await clock.sleep(POLL_MS, signal).catch(() => {});
  }
}

function readIfPresent(path: string): { readonly lines: readonly string[]; readonly end: FilePosition } {
  const file = inodeOf(path);
  if (file === 0) return { lines: [], end: { file, offset: 0 } };
  const bytes = readFileSync(path);
  const complete = bytes.lastIndexOf(10) + 1;
  const lines = bytes.toString("utf8", 0, complete).split("\n").slice(0, -1);
  return { lines, end: { file, offset: complete } };
}

function readFrom(path: string, offset: number): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const length = Math.min(CHUNK, Math.max(0, fstatSync(descriptor).size - offset));
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, length === 0 ? 0 : readSync(descriptor, bytes, 0, length, offset));
  } finally {
    closeSync(descriptor);
  }
}

function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
