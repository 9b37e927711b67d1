import { lstatSync } from "node:fs";
import { join } from "node:path";
import { LOGS_FOLDER } from "../../client/prepare-home.ts";
import { DISCOVERY_FILE, LOCK_FILE } from "../../contract/service/discovery.ts";
import { KNOWN_PROJECTS_FILE } from "../known-projects.ts";
import { checkModes, pathsBelow } from "./check-modes.ts";
import { fine, wrong, type Finding } from "./finding.ts";

/** Checks that the home of the daemon is a real folder that only its owner can read: it holds the token and the log. */
export function checkHome(home: string, fix: boolean): Finding[] {
  const stats = lstatSync(home, { throwIfNoEntry: false });
  if (stats === undefined) return [fine("home", `${home} is made at the first start`)];
  if (!stats.isDirectory())
    return [wrong("home", `${home} is no real folder`, "Move it away, or set AGENT_WORKER_HOME.")];
  const user = process.getuid?.();
  if (user !== undefined && stats.uid !== user) {
    return [wrong("home", `${home} belongs to another user`, "Take a folder of your own with AGENT_WORKER_HOME.")];
  }
  // The folder may be one that the user has other files in.
  const files = [DISCOVERY_FILE, LOCK_FILE, KNOWN_PROJECTS_FILE].map((name) => join(home, name));
  const findings = checkModes("home", [home, ...files, ...pathsBelow(join(home, LOGS_FOLDER))], fix);
  return findings.length > 0 ? findings : [fine("home", `${home} is yours alone`)];
}
