import { checkFileName } from "../../../src/files/confined-path.ts";
import { revisionOf } from "../../../src/files/documents/revision.ts";
import { openSqliteStore, type SqliteStore } from "../../../src/storage/sqlite/sqlite-store.ts";
import { T0 } from "./store-records.ts";

const rules = { checkName: checkFileName, revisionOf, now: () => T0 };

export function openStoreFile(file: string): SqliteStore {
  return openSqliteStore({ kind: "file", file }, rules);
}

export function openMemoryStore(): SqliteStore {
  return openSqliteStore({ kind: "memory" }, rules);
}
