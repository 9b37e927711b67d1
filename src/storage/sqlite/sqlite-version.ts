import { Fault } from "../../kernel/fault.ts";

/** Older ones can lose the log of a database that two connections use. */
const OLDEST_SQLITE = "3.51.3";

export function refuseOldSqlite(version: string): void {
  if (version.localeCompare(OLDEST_SQLITE, "en", { numeric: true }) >= 0) return;
  throw new Fault("runtime_too_old", `This Node brings SQLite ${version}; ${OLDEST_SQLITE} or newer is needed.`, {
    hint: "Install Node 24.15 or newer.",
  });
}
