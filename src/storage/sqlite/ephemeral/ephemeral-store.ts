import { ok } from "../../../kernel/result.ts";
import type { StoreReads } from "../../../ports/store/store.ts";
import type { SqliteDriver } from "../driver.ts";
import { writeTables, type WriteTables } from "../tables.ts";
import { documentTable, type DocumentTable } from "../tables/document.ts";
import { combine, ephemeralRows, hasSpace } from "./combinators.ts";
import { deleteSpace } from "./delete-space.ts";
import { promoteConversation } from "./promote-conversation.ts";
import { RULES } from "./rules.ts";
import { attachSchema, bindToSchema } from "./schema.ts";

/**
 * Workspaces with `provider: memory`, and the direct messages of ephemeral agents, in an attached schema of the writing
 * connection. It is attached when the first of them is opened. From then on `rules.ts` decides which schema a method uses.
 */
export interface EphemeralStore {
  /** The durable tables and the ephemeral ones as one. */
  readonly reads: StoreReads;
  readonly writes: WriteTables;
  /** Undefined for a space on disk. */
  documents(space: string): DocumentTable | undefined;
  retire(space: string): Promise<void>;
}

/** Thrown by a transaction that opens the first space in memory: a schema cannot be made inside one. */
export class EphemeralSchemaNeeded extends Error {}

const RETIRED_SPACES = 20;

/** Call it outside any transaction. */
export async function openEphemeralStore(
  driver: SqliteDriver,
  durable: { readonly reads: StoreReads; readonly writes: WriteTables },
): Promise<EphemeralStore> {
  const tables = await driver.exclusive(attachSchema);
  driver.readThroughWriter();
  const db = bindToSchema(driver.memoryWriter, tables);
  const documents = documentTable(db, db);
  const ephemeral = writeTables(db, "ephemeral");
  const rows = ephemeralRows(db, {
    deleteSpace: (space) => deleteSpace(db, space),
    promote: (agent, name) => promoteConversation(bindToSchema(driver.writer, tables), agent, name),
  });
  const retired: string[] = [];
  return {
    reads: combined(durable.reads),
    writes: {
      ...combined(durable.writes),
      appendEvent: (event, at) =>
        ("space" in event && hasSpace(rows, event.space) ? ephemeral : durable.writes).appendEvent(event, at),
    },
    documents: (space) => (hasSpace(rows, space) ? documents : undefined),
    async retire(space) {
      if (!(await driver.read(async () => hasSpace(rows, space)))) return;
      retired.push(space);
      if (retired.length <= RETIRED_SPACES) return;
      const [oldest = space] = retired.splice(0, 1);
      await driver.transact(async () => ok(rows.deleteSpace(oldest)));
    },
  };

  function combined<T extends StoreReads>(tablesOf: T): T {
    const names = Object.keys(RULES) as (keyof typeof RULES)[];
    const aggregates = names.map((name) => [
      name,
      combine(tablesOf[name], ephemeral[name], RULES[name] as never, rows),
    ]);
    return { ...tablesOf, ...Object.fromEntries(aggregates) } as T;
  }
}
