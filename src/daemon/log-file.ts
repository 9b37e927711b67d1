import { closeSync, constants, fstatSync, renameSync, rmSync, writeSync } from "node:fs";
import { openPrivateFile } from "../files/private-file.ts";

/**
 * The log file of the daemon: readable by its user only, rotated at a maximal size, and never a reason to stop. A line
 * that cannot be written is dropped and counted; the count is written once there is room again.
 */
export interface LogFile extends Disposable {
  write(line: string): void;
  /** Lines lost since the last one that was written. */
  readonly dropped: number;
}

export interface LogFileOptions {
  readonly path: string;
  /** The file is rotated before it would grow beyond this. */
  readonly maxBytes?: number;
  /** How many rotated files are kept: `path.1` (the newest) and so on. */
  readonly keep?: number;
}

const MAX_BYTES = 10 * 1024 * 1024;
const KEPT_FILES = 5;
const LOST = "lines of the log were lost";
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

export function openLogFile({ path, maxBytes = MAX_BYTES, keep = KEPT_FILES }: LogFileOptions): LogFile {
  let file: { readonly descriptor: number; size: number } | undefined;
  let dropped = 0;
  /** The last line was cut off by a full disk. */
  let torn = false;

  const open = (): { readonly descriptor: number; size: number } => {
    const descriptor = openPrivateFile(path, FLAGS);
    return { descriptor, size: fstatSync(descriptor).size };
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file.descriptor);
    file = undefined;
  };
  const rotate = (): void => {
    close();
    rmSync(`${path}.${keep}`, { force: true });
    for (let age = keep - 1; age >= 1; age -= 1) renameIfExists(`${path}.${age}`, `${path}.${age + 1}`);
    renameIfExists(path, `${path}.1`);
  };
  const append = (bytes: Buffer): void => {
    file ??= open();
    if (file.size > 0 && file.size + bytes.length > maxBytes) {
      rotate();
      file = open();
    }
    const written = writeSync(file.descriptor, bytes);
    file.size += written;
    torn = written < bytes.length;
    if (torn) throw new Error("only a part was written");
  };

  return {
    get dropped() {
      return dropped;
    },
    write(line) {
      try {
        if (dropped > 0) append(Buffer.from(`${torn ? "\n" : ""}${JSON.stringify({ message: LOST, dropped })}\n`));
        dropped = 0;
        append(Buffer.from(`${line}\n`));
      } catch {
        dropped += 1;
      }
    },
    [Symbol.dispose]: close,
  };
}

function renameIfExists(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOENT") throw error;
  }
}
