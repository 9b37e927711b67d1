import { chmodSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { LOGS_FOLDER } from "../../client/prepare-home.ts";
import { DISCOVERY_FILE } from "../../contract/service/discovery.ts";
import { fine, fixed, wrong, type Finding } from "./finding.ts";

/** Checks that the home of the daemon is a real folder that only its owner can read: it holds the token and the log. */
export function checkHome(home: string, fix: boolean): Finding[] {
  const stats = lstatSync(home, { throwIfNoEntry: false });
  if (stats === undefined) return [fine("home", `${home} is made at the first start`)];
  if (!stats.isDirectory())
    return [wrong("home", `${home} is no real folder`, "Move it away, or set AGENT_WORKER_HOME.")];
  if (isForeign(stats)) {
    return [wrong("home", `${home} belongs to another user`, "Take a folder of your own with AGENT_WORKER_HOME.")];
  }
  const findings = secretPaths(home).flatMap((path) => checkMode(path, fix));
  return findings.length > 0 ? findings : [fine("home", `${home} is yours alone`)];
}

/** Returns the home itself and the secret files in it. */
function secretPaths(home: string): string[] {
  const logs = join(home, LOGS_FOLDER);
  const files = lstatSync(logs, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(logs) : [];
  return [home, join(home, DISCOVERY_FILE), logs, ...files.map((name) => join(logs, name))];
}

function checkMode(path: string, fix: boolean): Finding[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !(stats.isFile() || stats.isDirectory()) || isForeign(stats)) return [];
  const mode = stats.mode & 0o777;
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  const right = stats.isDirectory() ? 0o700 : 0o600;
  const problem = `${path} has mode 0${mode.toString(8)}: others can get at it`;
  if (!fix) return [wrong("home", problem, "Repair it with: agent-worker doctor --fix")];
  chmodSync(path, right);
  return [fixed("home", `${path} had mode 0${mode.toString(8)}; it is 0${right.toString(8)} now`)];
}

function isForeign(stats: Stats): boolean {
  const user = process.getuid?.();
  return user !== undefined && stats.uid !== user;
}
