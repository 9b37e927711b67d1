import { lstatSync, type BigIntStats } from "node:fs";

/** Returns a value that changes whenever the file at `path` does; "" when there is none. */
export function stampAt(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : stampOf(stats);
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
