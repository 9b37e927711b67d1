import { lstatSync, type BigIntStats } from "node:fs";

/** Returns a value that changes whenever the file at `path` does; "" when there is none. */
export function stampAt(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : stampOf(stats);
}

/** A change this soon after another one may leave the same times. */
const SAME_TIMES_MS = 20;

/** The same for what is about to be read; undefined when it changed so lately that the next change may look the same. */
export function lastingStampAt(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return "";
  return Date.now() - Number(stats.ctimeMs) < SAME_TIMES_MS ? undefined : stampOf(stats);
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
