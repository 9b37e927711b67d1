import { connectToDaemon } from "../../client/connect.ts";
import { homeFolder } from "../../client/home.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { loadProject, type LoadedProject } from "../../files/project/load-project.ts";
import type { Clock } from "../../kernel/clock.ts";
import { listEngines } from "../list-engines.ts";
import { ownVersion } from "../../client/own-version.ts";
import { checkDaemon } from "./check-daemon.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDisk } from "./check-disk.ts";
import { checkEngines } from "./check-engines.ts";
import { checkHome } from "./check-home.ts";
import { checkPort } from "./check-port.ts";
import { checkProject } from "./check-project.ts";
import { checkNode, checkSqlite } from "./check-runtime.ts";
import { examining, type Finding } from "./finding.ts";

export interface Examination {
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Repair what can be repaired without asking: modes, and a registration that leads nowhere. */
  readonly fix: boolean;
}

/**
 * Looks at everything that can be wrong with an installation and a project. Needs neither a daemon nor a project that
 * can be used, runs nothing of the project, and changes nothing unless it is told to.
 */
export async function examine({ projectDir, env, clock, fix }: Examination): Promise<Finding[]> {
  const home = homeFolder(env);
  const findings: Finding[] = [];
  const look = async (check: string, how: Parameters<typeof examining>[1]): Promise<void> => {
    findings.push(...(await examining(check, how)));
  };
  const health = async () => {
    using client = await connectToDaemon({ home, env: {}, clock });
    return await client.health();
  };

  await look("node", checkNode);
  await look("sqlite", checkSqlite);
  await look("home", () => checkHome(home, fix));
  let running = false;
  await look("daemon", async () => {
    const daemon = await checkDaemon({ home, version: ownVersion(), fix, health });
    running = daemon.running;
    return daemon.findings;
  });
  if (!running) await look("port", () => checkPort(env));
  const project: { loaded?: LoadedProject } = {};
  await look("project", async () => {
    project.loaded = await loadProject(projectDir, { mode: "strict" });
    return checkProject(projectDir, project.loaded);
  });
  const { loaded } = project;
  if (loaded !== undefined) await look("database", () => checkDatabase(projectDir, loaded.settings.store.path));
  await look("disk", () => checkDisk([projectDir, home]));
  await look("engines", async () => {
    const engines = await listEngines({ env, clock });
    return checkEngines(engines, agentsOf(loaded), { env, sure: !running });
  });
  return findings;
}

/** The agents of the project, and those that exist in one of its workflows only. */
function agentsOf(project: LoadedProject | undefined): AgentDefinition[] {
  if (project === undefined) return [];
  const own = [...project.agents.values()].map(({ definition }) => definition);
  const inline = [...project.workflows.values()].flatMap(({ definition: { name: workflow, agents } }) =>
    Object.entries(agents).flatMap(([name, entry]) =>
      entry.kind === "inline" ? [{ ...entry, name: `${name}@${workflow}` }] : [],
    ),
  );
  return [...own, ...inline];
}
