import { lstatSync, type BigIntStats } from "node:fs";
import { errnoOf } from "./file-fault.ts";

/** Returns a value that changes whenever the file at `path` does; "" when there is none, or a file where its folder should be. */
export function stampAt(path: string): string {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : stampOf(stats);
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") return "";
    throw error;
  }
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
