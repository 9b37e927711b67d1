import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import type { OpenedFile } from "../confined-path.ts";
import { errnoOf } from "../file-fault.ts";

/**
 * Makes `copy` a hard link to the open file at `path`, or a copy of its bytes where hard links are not supported. Returns
 * false when `path` is another file by now; that file is never read.
 */
export function linkOrCopy(file: OpenedFile, path: string, copy: string): boolean {
  try {
    linkSync(path, copy);
    return isSameFile(file, copy);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"].includes(errnoOf(error) ?? "")) throw error;
    if (!isSameFile(file, path)) return false;
    copyBytes(file.fd, copy);
    return true;
  }
}

function isSameFile(file: OpenedFile, path: string): boolean {
  const open = fstatSync(file.fd, { bigint: true });
  const named = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return named?.ino === open.ino && named.dev === open.dev;
}

function copyBytes(from: number, path: string): void {
  const to = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    const chunk = Buffer.alloc(1 << 16);
    for (let position = 0; ;) {
      const size = readSync(from, chunk, 0, chunk.length, position);
      if (size === 0) break;
      for (let written = 0; written < size;) written += writeSync(to, chunk, written, size - written);
      position += size;
    }
    fsyncSync(to);
  } finally {
    closeSync(to);
  }
}
