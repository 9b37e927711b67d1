import { Fault } from "../../kernel/fault.ts";

/** Older versions can lose the log of a database that two connections use. */
const OLDEST_SQLITE = "3.51.3";
const OLDEST = partsOf(OLDEST_SQLITE);

export function refuseOldSqlite(version: string): void {
  const parts = partsOf(version);
  const at = OLDEST.findIndex((part, place) => parts[place] !== part);
  if (at === -1 || (parts[at] ?? 0) > (OLDEST[at] ?? 0)) return;
  throw new Fault("runtime_too_old", `This Node brings SQLite ${version}; ${OLDEST_SQLITE} or newer is needed.`, {
    hint: "Install Node 24.15 or newer.",
  });
}

/** Compared as numbers, because the first use of a collator loads more of Node than the database does. */
function partsOf(version: string): readonly number[] {
  return version.split(".").map(Number);
}
