import { lstatSync, type BigIntStats } from "node:fs";
import { systemClock } from "../kernel/clock.ts";
import { errnoOf } from "./file-fault.ts";

/** Returns a value that changes whenever the file at `path` does; "" when there is none, or a file where its folder should be. */
export function stampAt(path: string): string {
  const stats = statsAt(path);
  return stats === undefined ? "" : stampOf(stats);
}

/** A change this soon after another one may leave the same times. */
const SAME_TIMES_MS = 20;

/**
 * The same for what is about to be read; undefined when it changed so lately that the next change may look the same. The
 * times of files are those of the real clock.
 */
export function lastingStampAt(path: string): string | undefined {
  const stats = statsAt(path);
  if (stats === undefined) return "";
  return systemClock.now() - Number(stats.ctimeMs) < SAME_TIMES_MS ? undefined : stampOf(stats);
}

function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
