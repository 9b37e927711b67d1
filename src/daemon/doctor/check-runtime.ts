import { refuseOldSqlite } from "../../storage/sqlite/sqlite-version.ts";
import { fine, type Finding } from "./finding.ts";

/** The launcher has already refused a Node that is too old. */
export function checkNode(): Finding[] {
  return [fine("node", `Node ${process.versions.node}`)];
}

/** SQLite comes with Node. Throws when it is too old. */
export function checkSqlite(): Finding[] {
  const version = process.versions["sqlite"] ?? "0";
  refuseOldSqlite(version);
  return [fine("sqlite", `SQLite ${version}`)];
}
