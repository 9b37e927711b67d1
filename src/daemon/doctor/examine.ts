import { connectToDaemon } from "../../client/connect.ts";
import { homeFolder } from "../../client/home.ts";
import { ownVersion } from "../../client/own-version.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { readEnvFile } from "../../files/project/env-file.ts";
import { loadProject, type LoadedProject } from "../../files/project/load-project.ts";
import type { Clock } from "../../kernel/clock.ts";
import { openConsentFiles } from "../trust/consent-files.ts";
import { listEngines } from "../list-engines.ts";
import { withStoredKeys } from "../list-providers.ts";
import { packagePlaces } from "../providers/package-places.ts";
import { checkDaemon } from "./check-daemon.ts";
import { checkDatabase } from "./check-database.ts";
import { checkServer } from "./check-server.ts";
import { storeUrl } from "../store/store-url.ts";
import { checkDisk } from "./check-disk.ts";
import { checkEngines } from "./check-engines.ts";
import { checkGuard } from "./check-guard.ts";
import { checkHome } from "./check-home.ts";
import { checkPort } from "./check-port.ts";
import { checkProject } from "./check-project.ts";
import { checkTrust } from "./check-trust.ts";
import { checkNode, checkSqlite } from "./check-runtime.ts";
import { checkWorkspace } from "./check-workspace.ts";
import { daemonHealth } from "./daemon-health.ts";
import { reopenDatabase } from "./reopen-database.ts";
import { runCheck, wrong, type Finding } from "./finding.ts";
import { damagedKeys } from "../keys/stored-keys.ts";

export interface Examination {
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Repairs file modes and removes a stale registration. */
  readonly fix: boolean;
  /** Opens the database that is there now, or an empty one, in place of one that is gone. */
  readonly reopen: boolean;
  /** The person trusts the project as it is: `--trust`. */
  readonly trust: boolean;
}

/**
 * Checks an installation and a project. Needs neither a daemon nor a valid project, executes nothing of the project, and
 * changes nothing without `fix`.
 */
export async function examine({ projectDir, env, clock, fix, reopen, trust }: Examination): Promise<Finding[]> {
  const home = homeFolder(env);
  const findings: Finding[] = [];
  const run = async (name: string, check: Parameters<typeof runCheck>[1]): Promise<void> => {
    findings.push(...(await runCheck(name, check)));
  };
  const health = async () => {
    using client = await connectToDaemon({ home, projectDir, env: {}, clock });
    return await daemonHealth(client, projectDir);
  };

  await run("node", checkNode);
  await run("sqlite", checkSqlite);
  await run("home", () => checkHome(home, fix));
  await run("keys", () => {
    const damaged = damagedKeys(home);
    return damaged === undefined ? [] : [wrong("keys", damaged.message, damaged.next)];
  });
  if (reopen) await run("database", () => reopenDatabase({ home, projectDir, env, clock }));
  let running = false;
  await run("daemon", async () => {
    const daemon = await checkDaemon({ home, version: ownVersion(), fix, env, health });
    running = daemon.running;
    return daemon.findings;
  });
  if (!running) await run("port", () => checkPort(env));
  await run("workspace", () => checkWorkspace(projectDir, fix));
  const project: { loaded?: LoadedProject } = {};
  await run("project", async () => {
    project.loaded = await loadProject(projectDir);
    return checkProject(projectDir, project.loaded);
  });
  const { loaded } = project;
  if (loaded !== undefined && !trust) await run("trust", () => checkTrust(home, projectDir, loaded));
  // A stranger's database is not opened, and no variable that a stranger's project names is looked up.
  const isTrusted = trust || openConsentFiles(home).read(projectDir) !== undefined;
  if (loaded !== undefined && isTrusted)
    await run("database", () => {
      const { store } = loaded.settings;
      return store.url === undefined
        ? checkDatabase(projectDir, store.path)
        : checkServer(storeUrl(store, projectDir, env));
    });
  await run("disk", () => checkDisk([projectDir, home]));
  const agents = isTrusted ? agentsOf(loaded) : [];
  const keys = async () => {
    const known = await withStoredKeys(env);
    const nameable = isTrusted ? { ...readEnvFile(projectDir).variables, ...known } : known;
    return { env: known, nameable, sure: !running, packages: packagePlaces({ home, env, projectDir }) };
  };
  await run("engines", async () => {
    const engines = await listEngines({ env, clock, dir: projectDir });
    return checkEngines(engines, agents, await keys());
  });
  await run("guard", async () => checkGuard(agents, await keys()));
  return findings;
}

/** Returns the agents of the project and the inline agents of its workflows. */
function agentsOf(project: LoadedProject | undefined): AgentDefinition[] {
  if (project === undefined) return [];
  const agents = [...project.agents.values()].map(({ definition }) => definition);
  const inline = [...project.workflows.values()].flatMap(({ definition: { name: workflow, agents: entries } }) =>
    Object.entries(entries).flatMap(([name, entry]) =>
      entry.kind === "inline" ? [{ ...entry, name: `${name}@${workflow}` }] : [],
    ),
  );
  return [...agents, ...inline];
}
