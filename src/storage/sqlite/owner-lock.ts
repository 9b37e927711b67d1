import { Fault } from "../../kernel/fault.ts";
import { openDatabase, type Database } from "./connection.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/**
 * Takes the lock of a store or of a home, which only one process may hold. It is an exclusive transaction on a file of
 * its own: the operating system drops it with the process, however that ends, so there is never a stale lock. The file
 * itself means nothing and stays. Returns undefined when another process holds the lock.
 */
export function holdOwnerLock(file: string): Database | undefined {
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
