import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import type { Clock } from "../../kernel/clock.ts";

const LOOK_AGAIN_MS = 200;
const CHUNK = 64 * 1024;

/** Where reading of a file that is set aside now and then has come to. */
export interface FilePosition {
  /** Inode; 0 when there is no file. */
  readonly file: number;
  readonly offset: number;
}

/** The last whole lines of a file and of the one that was set aside before it. */
export function lastLines(
  path: string,
  count: number,
): { readonly lines: readonly string[]; readonly end: FilePosition } {
  const now = readIfThere(path);
  const before = now.lines.length < count ? readIfThere(`${path}.1`).lines : [];
  return { lines: count === 0 ? [] : [...before, ...now.lines].slice(-count), end: now.end };
}

/** The lines that are written after a position, also into the files that take this one's place, until the signal. */
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
    if (added.length === 0) await clock.sleep(LOOK_AGAIN_MS, signal).catch(() => {});
  }
}

function readIfThere(path: string): { readonly lines: readonly string[]; readonly end: FilePosition } {
  const file = inodeOf(path);
  if (file === 0) return { lines: [], end: { file, offset: 0 } };
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(10) + 1;
  const lines = bytes.toString("utf8", 0, whole).split("\n").slice(0, -1);
  return { lines, end: { file, offset: whole } };
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
