import { Fault } from "../../kernel/fault.ts";
import { openDatabase, type Database } from "./driver.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/**
 * One process owns a store, or a home. The lock is an exclusive transaction held open on a file of its own: the
 * operating system drops it with the process, however it dies, so there is never a stale one to clean up. The file
 * itself means nothing and stays. Undefined: somebody else holds it.
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
