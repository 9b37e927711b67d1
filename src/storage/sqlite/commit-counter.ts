import { closeSync, constants, existsSync, openSync, readSync, writeSync } from "node:fs";

/**
 * A count of commits kept outside the database. SQLite drops everything after the first damaged frame of its log and
 * says nothing: a flipped bit silently loses acknowledged work. The database counts its commits too; when this file
 * has counted more, that many were lost, and the store says so when it opens.
 *
 * It is written after each commit and not flushed: a power cut may leave it behind, never ahead.
 */
export interface CommitCounter {
  /** What the file says, or null when there is none or it cannot be read. */
  readonly last: number | null;
  /** Starts counting from what the database holds. */
  reset(commits: number): void;
  advance(): void;
  close(): void;
}

const WIDTH = 16;

export function openCommitCounter(file: string): CommitCounter {
  const fd = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
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

/** For a store in memory, which has nothing to lose. */
export const noCommitCounter: CommitCounter = { last: null, reset: () => {}, advance: () => {}, close: () => {} };

/** What the file says, for whoever looks at it without owning it. Null when there is none or it cannot be read. */
export function readCommitCount(file: string): number | null {
  if (!existsSync(file)) return null;
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
