import { checkFileName } from "../../../src/files/confined-path.ts";
import { revisionOf } from "../../../src/files/documents/revision.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { openPostgresStore, type PostgresOptions } from "../../../src/storage/postgres/postgres-store.ts";
import { T0 } from "../../../src/testing/store-conformance/records.ts";

const rules = { checkName: checkFileName, revisionOf, now: () => T0 };

export function openStoreAt(url: string, options?: PostgresOptions): Promise<Store> {
  return openPostgresStore(url, rules, options);
}
