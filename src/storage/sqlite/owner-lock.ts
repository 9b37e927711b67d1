import { lstatSync, readFileSync, rmSync, statSync, type Stats } from "node:fs";
import { Fault } from "../../kernel/fault.ts";
import { openDatabase, type Database } from "./connection.ts";
import { claimDatabase } from "./private-database.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/**
 * Takes the lock of a store or of a home, which only one process may hold. It is an exclusive transaction on a file of
 * its own: the operating system drops it with the process, however that ends, so there is never a stale lock. The file
 * itself means nothing and stays. Returns undefined when another process of this user holds the lock.
 */
export function holdOwnerLock(file: string): Database | undefined {
  claimDatabase(file);
  return takeLock(file) ?? (replaceIfForeign(file) ? takeLock(file) : undefined);
}

function takeLock(file: string): Database | undefined {
  let lock: Database | undefined;
  try {
    lock = openDatabase(file);
    lock.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    const fault = sqliteFault(error);
    if (fault instanceof Fault && fault.code === "database_locked") return undefined;
    throw fault;
  }
}

/**
 * Older versions made files that every user could read, and a reader can lock them too. A file that only others have
 * locked is replaced by a new one, which they cannot open. The second lock lets one process at a time do this, so that
 * none removes the new file. Returns whether there is a new file.
 */
function replaceIfForeign(file: string): boolean {
  const locked = lstatSync(file, { throwIfNoEntry: false });
  if (locked === undefined || !isLockedByOthersOnly(locked)) return false;
  claimDatabase(`${file}.new`);
  const turn = takeLock(`${file}.new`);
  if (turn === undefined) return false;
  try {
    const current = lstatSync(file, { throwIfNoEntry: false });
    if (current?.ino !== locked.ino || current.dev !== locked.dev) return true;
    rmSync(file);
    claimDatabase(file);
    return true;
  } finally {
    turn.close();
  }
}

/** The bytes of a database file that SQLite locks. */
const FIRST_BYTE = 0x4000_0000;
const LAST_BYTE = FIRST_BYTE + 511;
const HELD_LOCK = /^\d+: +(\w+) +\w+ +\w+ +(-?\d+) +\w+:\w+:(\d+) (\d+) (\d+|EOF)$/;

/** False where the system does not tell who has locked a file. SQLite takes locks of the kind `POSIX` only. */
function isLockedByOthersOnly({ ino, uid }: Stats): boolean {
  try {
    const holders = readFileSync("/proc/locks", "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, kind = "", pid = "", inode, first = "", last = ""] = HELD_LOCK.exec(line) ?? [];
        if (inode !== String(ino) || Number(first) > LAST_BYTE) return [];
        return last !== "EOF" && Number(last) < FIRST_BYTE ? [] : [{ kind, pid }];
      });
    return (
      holders.length > 0 && holders.every(({ kind, pid }) => kind !== "POSIX" || statSync(`/proc/${pid}`).uid !== uid)
    );
  } catch {
    return false;
  }
}
