import { Fault } from "../../kernel/fault.ts";

/** The result codes of SQLite that this store distinguishes. */
const FULL = 13;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const BUSY = 5;
const READ_ONLY = 8;
const CANNOT_OPEN = 14;
const IOERR = 10;
const IOERR_FSYNC = 1034;
const IOERR_DIR_FSYNC = 1290;
/** The shared index of the log could not grow: the disk is full. */
const IOERR_SHMSIZE = 4874;

/** Turns an error of SQLite into the Fault it means. Returns any other error as it is: it is a bug. */
export function sqliteFault(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return error;
  const extended = error.errcode;
  const primary = extended & 0xff;
  if (primary === FULL || extended === IOERR_SHMSIZE) {
    return new Fault("disk_full", "The disk is full: nothing was written.", {
      cause: error,
      hint: "Free some space; work goes on by itself.",
    });
  }
  if (extended === IOERR_FSYNC || extended === IOERR_DIR_FSYNC) {
    return new Fault("disk_failed", "The disk did not confirm a write: no further writes are accepted.", {
      cause: error,
      hint: "Check the disk, then restart; what was acknowledged before is safe.",
    });
  }
  if (primary === IOERR)
    return new Fault("disk_failed", "The disk failed to read or write the database.", { cause: error });
  if (primary === CORRUPT || primary === NOT_A_DATABASE) {
    return new Fault("database_damaged", "The database file is damaged.", {
      cause: error,
      hint: "Restore the newest backup beside it.",
    });
  }
  if (primary === BUSY) {
    return new Fault("database_locked", "Another program holds the database.", { cause: error });
  }
  if (primary === CANNOT_OPEN || primary === READ_ONLY) {
    return new Fault("file_unwritable", "The database file cannot be opened for writing.", {
      cause: error,
      hint: "Check that you may write to it and to its folder.",
    });
  }
  return error;
}
