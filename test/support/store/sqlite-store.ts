import { checkFileName } from "../../../src/files/confined-path.ts";
import { revisionOf } from "../../../src/files/documents/revision.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { openSqliteStore } from "../../../src/storage/sqlite/sqlite-store.ts";
import { T0 } from "../../../src/testing/store-conformance/records.ts";

const rules = { checkName: checkFileName, revisionOf, now: () => T0 };

export function openStoreFile(file: string): Store {
  return openSqliteStore({ kind: "file", file }, rules);
}

export function openMemoryStore(): Store {
  return openSqliteStore({ kind: "memory" }, rules);
}
