import type { Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { WriteConnection } from "../connection.ts";
import { writeTables, type ReadTables, type WriteTables } from "../tables.ts";
import { documentTable, type DocumentTable } from "../tables/document.ts";
import { combine, ephemeralRows, hasSpace } from "./combinators.ts";
import { deleteSpace } from "./delete-space.ts";
import { promoteConversation } from "./promote-conversation.ts";
import { RULES } from "./rules.ts";
import { bindToSchema, type SchemaNames } from "./schema.ts";

/**
 * Workspaces with `provider: memory`, and the direct messages of ephemeral agents, in a second schema of the writing
 * connection. It is made when the first of them is opened. From then on `rules.ts` decides which schema a method uses.
 */
export interface EphemeralStore {
  /** The durable tables and the ephemeral ones as one. */
  readonly reads: StoreReads;
  readonly writes: WriteTables;
  /** Undefined for a space on disk. */
  documents(space: string): Promise<DocumentTable | undefined>;
  retire(space: string): Promise<void>;
}

/** Thrown by a transaction that opens the first space in memory: a schema cannot be made inside one. */
export class EphemeralSchemaNeeded extends Error {}

const RETIRED_SPACES = 20;

/** What the schema in memory needs of a driver. */
export interface EphemeralDriver {
  readonly writer: WriteConnection;
  /** A transaction that wrote only through it need not reach the disk. */
  readonly memoryWriter: WriteConnection;
  read<T>(work: () => Promise<T>): Promise<T>;
  transact<T>(work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>>;
}

/** Call it when the schema was made, and reads go through the writing connection. */
export function openEphemeralStore(
  driver: EphemeralDriver,
  names: SchemaNames,
  durable: { readonly reads: StoreReads; readonly writes: WriteTables },
): EphemeralStore {
  const db = bindToSchema(driver.memoryWriter, names);
  const documents = documentTable(db, db);
  const ephemeral = writeTables(db, "ephemeral");
  const rows = ephemeralRows(db, {
    deleteSpace: (space) => deleteSpace(db, space),
    promote: (agent, name) => promoteConversation(bindToSchema(driver.writer, names), agent, name),
  });
  const retired: string[] = [];
  return {
    reads: combined(durable.reads),
    writes: {
      ...combined(durable.writes),
      appendEvent: async (event, at) =>
        ("space" in event && (await hasSpace(rows, event.space)) ? ephemeral : durable.writes).appendEvent(event, at),
    },
    documents: async (space) => ((await hasSpace(rows, space)) ? documents : undefined),
    async retire(space) {
      if (!(await driver.read(() => hasSpace(rows, space)))) return;
      retired.push(space);
      if (retired.length <= RETIRED_SPACES) return;
      const [oldest = space] = retired.splice(0, 1);
      await driver.transact(async () => ok(await rows.deleteSpace(oldest)));
    },
  };

  function combined<T extends ReadTables>(tablesOf: T): T {
    const names = Object.keys(RULES) as (keyof typeof RULES)[];
    const aggregates = names.map((name) => [
      name,
      combine(tablesOf[name], ephemeral[name], RULES[name] as never, rows),
    ]);
    return { ...tablesOf, ...Object.fromEntries(aggregates) } as T;
  }
}
