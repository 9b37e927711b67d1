import type { OpenStore, Store, StoreWrites } from "../../ports/store/store.ts";
import { cacheMembers } from "./cache/member-cache.ts";
import { findDamage } from "./damage.ts";
import { EphemeralSchemaNeeded, openEphemeralStore, type EphemeralStore } from "../ephemeral/ephemeral-store.ts";
import { openSqlite } from "./open.ts";
import { snapshot } from "./snapshot.ts";
import { refuseEphemeral } from "../ephemeral/refuse-ephemeral.ts";
import { readTables, writeTables } from "../tables.ts";
import { documentTable, storeDocuments } from "../tables/document.ts";
import { attachSchema } from "./attach-schema.ts";

/** The Store port on SQLite: the tables and the spaces in memory, on one driver. */
export const openSqliteStore: OpenStore = (placement, rules, options) => {
  const { driver, migration, lostCommits, id, findAbsence } = openSqlite(placement, rules.now(), options);
  const tables = writeTables(driver.writer, "durable");
  const workspaces = cacheMembers(tables.workspaces, (listener) => driver.onGroupEnd(listener));
  const time = async (): Promise<number> => rules.now();
  const durable = {
    reads: { ...readTables(driver.reader, "durable"), time },
    writes: refuseEphemeral({ ...tables, workspaces }),
  };
  const durableDocuments = documentTable(driver.reader, driver.writer);
  /** Undefined until the first space in memory is opened: without one nothing costs more. */
  let ephemeral: EphemeralStore | undefined;
  let opening: Promise<unknown> | undefined;
  const nested: StoreWrites["nested"] = (work) => driver.nested(work);
  const writes = (): StoreWrites => ({ ...(ephemeral ?? durable).writes, nested, time });
  let current = writes();

  const openEphemeral = async (): Promise<void> => {
    const tables = await driver.exclusive(attachSchema);
    driver.readThroughWriter();
    ephemeral = openEphemeralStore(driver, { tables, durable: "main", ephemeral: "ephemeral" }, durable);
    current = writes();
  };

  const transact: Store["transact"] = async (work, options) => {
    try {
      return await driver.transact(() => work(current), options);
    } catch (error) {
      if (!(error instanceof EphemeralSchemaNeeded) || options?.once === true) throw error;
      await (opening ??= openEphemeral());
      return transact(work, options);
    }
  };

  return {
    shared: false,
    id,
    migration,
    lostCommits,
    findAbsence,
    documents: storeDocuments(
      (space, work) => driver.read(async () => work((await ephemeral?.documents(space)) ?? durableDocuments)),
      async (space) => (await ephemeral?.documents(space)) ?? durableDocuments,
      rules,
    ),
    read: (work) => driver.read(() => work((ephemeral ?? durable).reads)),
    transact,
    retire: async (space) => ephemeral?.retire(space),
    findDamage: () => driver.exclusive(findDamage),
    hold: (work) => driver.hold(work),
    backup: (file) => driver.exclusive((db) => snapshot(db, file)),
    [Symbol.asyncDispose]: () => driver.close(),
  };
};
