import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { refuse } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Store } from "../../ports/store/store.ts";
import type { StoreUpkeep } from "../../ports/store-upkeep.ts";
import { hasLittleSpace } from "./disk-space.ts";
import type { KnownStores } from "./known-stores.ts";

export interface StoreUpkeepParts {
  readonly dir: string;
  readonly file: string;
  readonly store: Store;
  /** Absent: nobody remembers which store the project had. */
  readonly known: KnownStores | undefined;
  /** The store was gone when the project was opened: `store` is an empty one in its place, and is not kept. */
  readonly isMissing: boolean;
  /** The store is on a server, which tidies up by itself; `file` is then only where derived files are. */
  readonly onServer: boolean;
  /** Closes the project and opens it again, after the request is answered. */
  readonly reopen: () => void;
}

/** The StoreUpkeep port for one project. Remembers the store, so that a later daemon knows it. */
export function createStoreUpkeep(parts: StoreUpkeepParts): StoreUpkeep {
  const { dir, file, store, known, isMissing, onServer, reopen } = parts;
  if (!isMissing) known?.remember(dir, store.id);
  const findAbsence = (): Fault | undefined => (isMissing ? missingStore(file) : store.findAbsence());
  return {
    problem: () => {
      const absence = findAbsence();
      if (absence !== undefined) return `${absence.message} ${absence.hint ?? ""}`.trim();
      return [dir, dirname(file)].some(hasLittleSpace)
        ? `The disk of ${dir} is full: make room on it, and work goes on.`
        : null;
    },
    reopen: () => {
      if (findAbsence() === undefined) {
        return refuse("conflict", "There is nothing to reopen: the database is where it was.");
      }
      // What the person decided is no problem to be told about.
      known?.forget(dir);
      reopen();
      return ok({ begins: onServer || existsSync(file) ? ("as found" as const) : ("empty" as const) });
    },
    vacuum: async () => {
      if (onServer) {
        return refuse("conflict", "The database server gives free space back by itself.", {
          hint: "Its settings of autovacuum say when. See: agent-worker doctor",
        });
      }
      const { vacuumDatabase } = await import("../vacuum-database.ts");
      return vacuumDatabase(store, file);
    },
  };
}

/** Why a project whose store was deleted or moved while no daemon looked accepts nothing. */
export function missingStore(file: string): Fault {
  return new Fault("database_gone", `The database ${file} was deleted or moved away: nothing is accepted any more.`, {
    hint: "Put it back, and work goes on. Or begin with an empty one: agent-worker doctor --reopen",
  });
}
