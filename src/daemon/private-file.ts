import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryName } from "../files/atomic-write.ts";
import { fileFault } from "../files/file-fault.ts";

/**
 * Writes a file atomically that only this user can read: its mode is 0600 from the first byte on, whatever the umask.
 * An existing file is replaced; a link is replaced, not followed.
 */
export function writePrivateFile(path: string, text: string): void {
  const temporary = join(dirname(path), temporaryName());
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const file = openSync(temporary, flags, 0o600);
    try {
      fchmodSync(file, 0o600);
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileFault("write", path, error);
  }
}
