import { existsSync } from "node:fs";
import { refuse } from "../kernel/refusal.ts";
import { ok } from "../kernel/result.ts";
import type { Store } from "../ports/store/store.ts";
import type { StoreUpkeep } from "../ports/store-upkeep.ts";
import type { KnownStores } from "./known-stores.ts";

export interface StoreUpkeepParts {
  readonly dir: string;
  readonly file: string;
  readonly store: Store;
  /** Absent: nobody remembers which store the project had. */
  readonly known: KnownStores | undefined;
  /** Closes the project and opens it again, after the request is answered. */
  readonly reopen: () => void;
}

/** The StoreUpkeep port for one project. Remembers the store, so that a later daemon knows it. */
export function createStoreUpkeep({ dir, file, store, known, reopen }: StoreUpkeepParts): StoreUpkeep {
  const before = known?.of(dir);
  const isNew = store.migration.from === 0;
  const begunAnew =
    before === undefined || before === store.id || !isNew
      ? null
      : `The project ${dir} begins with an empty database. The one it had is gone: it was deleted or moved.`;
  known?.remember(dir, store.id);
  return {
    problem: () => {
      const absence = store.findAbsence();
      return absence === undefined ? begunAnew : `${absence.message} ${absence.hint ?? ""}`.trim();
    },
    reopen: () => {
      if (store.findAbsence() === undefined) {
        return refuse("conflict", "There is nothing to reopen: the database is where it was.");
      }
      // What the person decided is no problem to be told about.
      known?.forget(dir);
      reopen();
      return ok({ begins: existsSync(file) ? ("as found" as const) : ("empty" as const) });
    },
    vacuum: async () => {
      const { vacuumDatabase } = await import("./vacuum-database.ts");
      return vacuumDatabase(store, file);
    },
  };
}
