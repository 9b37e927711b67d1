import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { checkPrivateFile, openPrivateFile } from "../../files/private-file.ts";

/**
 * A count of commits in a file beside the database. SQLite silently drops everything after the first damaged frame of
 * its log, so a flipped bit would lose acknowledged work unnoticed. The database counts its commits too; when this file
 * has counted more, that many were lost, and the store reports them when it opens.
 *
 * The file is written after each commit and not flushed: after a power cut its count may be too low, never too high.
 */
export interface CommitCounter {
  /** The count in the file; null when there is none or it cannot be read. */
  readonly last: number | null;
  /** Starts counting from the count of the database. */
  reset(commits: number): void;
  advance(): void;
  close(): void;
}

const WIDTH = 16;

export function openCommitCounter(file: string): CommitCounter {
  const fd = openPrivateFile(file, constants.O_RDWR | constants.O_CREAT);
  let count = 0;
  const write = (): void => {
    try {
      writeSync(fd, String(count).padStart(WIDTH, "0"), 0, "latin1");
    } catch {
      // The commit it counts is safe already, and the next one writes the full count again.
    }
  };
  return {
    last: readCount(fd),
    reset: (commits) => {
      count = commits;
      write();
    },
    advance: () => {
      count += 1;
      write();
    },
    close: () => closeSync(fd),
  };
}

/** For a store in memory. */
export const noCommitCounter: CommitCounter = { last: null, reset: () => {}, advance: () => {}, close: () => {} };

/** Returns the count in the file, without owning it; null when there is none or it cannot be read. */
export function readCommitCount(file: string): number | null {
  if (checkPrivateFile(file) === undefined) return null;
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readCount(fd);
  } finally {
    closeSync(fd);
  }
}

function readCount(fd: number): number | null {
  const buffer = Buffer.alloc(WIDTH);
  const text = buffer.toString("latin1", 0, readSync(fd, buffer, 0, WIDTH, 0));
  return /^\d{16}$/.test(text) ? Number(text) : null;
}
