import { rmSync } from "node:fs";
import { join } from "node:path";
import { urlOf } from "../../client/address.ts";
import { readDiscovery } from "../../client/discovery.ts";
import { reachDaemon } from "../../client/reach.ts";
import { DISCOVERY_FILE, LOCK_FILE } from "../../contract/service/discovery.ts";
import type { WaitingRun } from "../../contract/runs.ts";
import type { HealthView } from "../../contract/service/health.ts";
import { AWAITED } from "../../domain/outcome.ts";
import { holdOwnerLock } from "../../storage/sqlite/owner-lock.ts";
import { keysOnlyHere } from "../keys/names-of-keys.ts";
import { fine, fixed, warning, wrong, type Finding } from "./finding.ts";

export interface DaemonFindings {
  readonly running: boolean;
  readonly findings: readonly Finding[];
}

type GuardFailure = HealthView["projects"][number]["guardFailures"][number];

interface DaemonParts {
  readonly home: string;
  readonly version: string;
  readonly fix: boolean;
  /** Of the command. The daemon has its own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  health(): Promise<HealthView>;
}

/** Checks whether the daemon responds and proves its identity, and whether its registration is stale. */
export async function checkDaemon({ home, version, fix, env, health }: DaemonParts): Promise<DaemonFindings> {
  const reached = await reachDaemon(home);
  if (reached.state === "draining") {
    return { running: true, findings: [warning("daemon", "it is stopping", "Try again in a moment.")] };
  }
  if (reached.state === "ready") {
    reached.connection[Symbol.dispose]();
    return { running: true, findings: await runningFindings(reached.daemon, { version, env, health }) };
  }
  if (readDiscovery(home).state === "absent") {
    return { running: false, findings: [fine("daemon", "not running; commands that need it start it")] };
  }
  return { running: false, findings: [checkRegistration(home, reached.reason, fix)] };
}

/** Removes the registration only while it has the lock: a daemon that is too busy to respond must not lose it. */
function checkRegistration(home: string, reason: string, fix: boolean): Finding {
  const lock = holdOwnerLock(join(home, LOCK_FILE));
  if (lock === undefined) {
    const find = `Find it with: lsof ${join(home, LOCK_FILE)}`;
    return wrong("daemon", `a process holds ${home} and does not answer: ${reason}`, find);
  }
  try {
    const stale = `${DISCOVERY_FILE} leads to no daemon: ${reason}`;
    if (!fix) return wrong("daemon", stale, "Repair it with: agent-worker doctor --fix");
    rmSync(join(home, DISCOVERY_FILE), { force: true });
    return fixed("daemon", `${stale}; it is removed`);
  } finally {
    lock.close();
  }
}

async function runningFindings(
  daemon: { readonly host: string; readonly port: number; readonly pid: number; readonly version: string },
  { version, env, health }: Pick<DaemonParts, "version" | "env" | "health">,
): Promise<Finding[]> {
  const { host, port, pid } = daemon;
  const findings: Finding[] = [fine("daemon", `running as process ${pid} at ${urlOf(host, port)}`)];
  if (daemon.version !== version) {
    const restart = "Restart it with: agent-worker daemon restart";
    findings.push(warning("daemon", `it is version ${daemon.version} and this command is ${version}`, restart));
  }
  const { problems, projects, keys } = await health();
  const onlyHere = keys === undefined ? undefined : keysOnlyHere(env, keys);
  if (onlyHere !== undefined) findings.push(warning("keys", onlyHere.message, onlyHere.next));
  for (const problem of problems) {
    const saysHow = problem.includes("agent-worker ");
    findings.push(wrong("daemon", problem, saysHow ? "Then look again." : "See: agent-worker daemon logs"));
  }
  for (const { dir, dead, waits, guardFailures, unplaced = [], refused = [], nodes = [] } of projects) {
    const seeNodes =
      "See the nodes: agent-worker ls. Start the one that is missing: agent-worker daemon start --node NAME";
    findings.push(...unplaced.map((reason) => ({ ...warning("nodes", `${reason} In ${dir}`, seeNodes), dir })));
    findings.push(...refused.map(({ reason, next }) => ({ ...warning("nodes", `${reason} In ${dir}`, next), dir })));
    const away = nodes.filter(({ state }) => state === "away").map(({ name }) => name);
    if (away.length > 0) findings.push({ ...warning("nodes", `away: ${away.join(", ")}, in ${dir}`, seeNodes), dir });
    findings.push(...waits.map((wait) => ({ ...warning("waiting", `${waitText(wait)}, in ${dir}`, wait.next), dir })));
    // A daemon of an earlier build does not tell them.
    findings.push(...(guardFailures ?? []).map((failure) => guardFinding(failure, dir)));
    if (dead > 0) {
      findings.push({ ...warning("daemon", `${dead} dead letters in ${dir}`, "See: agent-worker dead list"), dir });
    }
  }
  return findings;
}

function waitText({ agent, space, waitsFor, since, until, reason }: WaitingRun): string {
  const times = `since ${since}${until === null ? "" : ` until ${until}`}`;
  const where = space.startsWith("@") ? ` in ${space}` : "";
  return `${agent}${where} waits for ${AWAITED[waitsFor]} ${times}: ${reason.replace(/\.$/, "")}`;
}

function guardFinding({ agent, model, at, reason }: GuardFailure, dir: string): Finding {
  const what = `the guard of ${agent} decides by rules, because its model ${model} did not answer at ${at}`;
  const next = `Mend that, or take "guard: { model }" out. What it costs and how often it fails: agent-worker stats`;
  return warning("guard", `${what}: ${reason.replace(/\.$/, "")}, in ${dir}`, next);
}
