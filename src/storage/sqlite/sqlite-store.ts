import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import type { OpenStore, Store, StoreReads, StoreWrites } from "../../ports/store/store.ts";
import { cacheMembers } from "./cache/member-cache.ts";
import { createMessageCache, type MessageCache } from "./cache/message-cache.ts";
import { createWorkspaceCache, type WorkspaceCache } from "./cache/workspace-cache.ts";
import { findDamage } from "./damage.ts";
import type { SqliteDriver } from "./driver.ts";
import { EphemeralSchemaNeeded, openEphemeralStore, type EphemeralStore } from "./ephemeral/ephemeral-store.ts";
import { openSqlite } from "./open.ts";
import { snapshot } from "./snapshot.ts";
import { readTables, writeTables, type WriteTables } from "./tables.ts";
import { documentTable, sqliteDocuments } from "./tables/document.ts";

/** The Store port on SQLite: the tables, their caches, and workspaces in memory, on one driver. */
export const openSqliteStore: OpenStore = (placement, rules) => {
  const { driver, migration, lostCommits } = openSqlite(placement, rules.now());
  const caches = createCaches(driver);
  const durable = {
    reads: cachedReads(readTables(driver.reader, "durable"), caches),
    writes: refuseEphemeral(cachedWrites(writeTables(driver.writer, "durable"), caches, driver)),
  };
  const durableDocuments = documentTable(driver.reader, driver.writer);
  /** Undefined until the first workspace in memory is opened: without one nothing costs more. */
  let ephemeral: EphemeralStore | undefined;
  let opening: Promise<unknown> | undefined;
  const nested: StoreWrites["nested"] = (work) => driver.nested(() => reportUndone(caches, work));
  const writes = (): StoreWrites => ({ ...(ephemeral ?? durable).writes, nested });
  let current = writes();

  const openEphemeral = async (): Promise<void> => {
    ephemeral = await openEphemeralStore(driver, durable);
    current = writes();
  };

  const transact: Store["transact"] = async (work, options) => {
    try {
      return await driver.transact(() => reportUndone(caches, () => work(current)), options);
    } catch (error) {
      if (!(error instanceof EphemeralSchemaNeeded) || options?.once === true) throw error;
      await (opening ??= openEphemeral());
      return transact(work, options);
    }
  };

  return {
    migration,
    lostCommits,
    documents: sqliteDocuments(driver, (space) => ephemeral?.documents(space) ?? durableDocuments, rules),
    read: (work) =>
      driver.read(() => {
        caches.workspaces.refresh();
        caches.messages.refresh();
        return work((ephemeral ?? durable).reads);
      }),
    transact,
    retire: async (space) => ephemeral?.retire(space),
    findDamage: () => driver.exclusive(findDamage),
    backup: (file) => driver.exclusive((db) => snapshot(db, file)),
    [Symbol.asyncDispose]: () => driver.close(),
  };
};

/** Of durable rows only: those in memory need none. */
interface Caches {
  readonly messages: MessageCache;
  readonly workspaces: WorkspaceCache;
}

function createCaches(driver: SqliteDriver): Caches {
  const caches = { messages: createMessageCache(), workspaces: createWorkspaceCache() };
  driver.onCommit(() => {
    caches.workspaces.committed();
    caches.messages.committed();
  });
  driver.onGroupEnd(() => caches.messages.groupEnded());
  return caches;
}

function cachedReads(reads: StoreReads, { messages, workspaces }: Caches): StoreReads {
  return { ...reads, messages: messages.reads(reads.messages), workspaces: workspaces.reads(reads.workspaces) };
}

function cachedWrites(writes: WriteTables, { messages, workspaces }: Caches, driver: SqliteDriver): WriteTables {
  return {
    ...writes,
    messages: messages.writes(writes.messages),
    workspaces: cacheMembers(workspaces.writes(writes.workspaces), (listener) => driver.onGroupEnd(listener)),
  };
}

function refuseEphemeral(writes: WriteTables): WriteTables {
  const { workspaces } = writes;
  return {
    ...writes,
    workspaces: {
      ...workspaces,
      open(workspace) {
        if (workspace.provider === "memory") throw new EphemeralSchemaNeeded("There is no schema in memory yet.");
        return workspaces.open(workspace);
      },
    },
  };
}

/** What is about to be undone must not stay in a cache. */
async function reportUndone<T>(caches: Caches, work: () => Promise<Result<T, Refusal>>): Promise<Result<T, Refusal>> {
  let accepted = false;
  try {
    const result = await work();
    accepted = result.ok;
    return result;
  } finally {
    if (!accepted) caches.messages.undone();
  }
}
