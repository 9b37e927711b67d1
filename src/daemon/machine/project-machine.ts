import { existsSync, realpathSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findProvider, PROVIDERS } from "../../domain/agent/providers.ts";
import { createProjectFiles, hasDefinitions } from "../../files/project/create-project-files.ts";
import { TEAM_NAMES, TEAM_TEMPLATES, teamTemplate } from "../../files/project/team-templates.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Machine } from "../../ports/machine.ts";
import { openStoredKeys, removeKey, storeKey } from "../keys/stored-keys.ts";

export interface ProjectMachineParts {
  readonly dir: string;
  /** The home of the daemon. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

const DEMO = fileURLToPath(new URL("../../../examples/review-team", import.meta.url));
const DEMO_WORKFLOW = "review";

/** The Machine port for one project of a daemon. What it needs is loaded on first use. */
export function createProjectMachine({ dir, home, env: environment, clock }: ProjectMachineParts): Machine {
  // The daemon may have another home than the environment it was started with says.
  const env: ProjectMachineParts["env"] = { ...environment, AGENT_WORKER_HOME: home };
  const variableOf = (provider: string): Result<string, Refusal> => {
    const [variable] = findProvider(provider)?.keyVariables ?? [];
    if (variable !== undefined) return ok(variable);
    const names = PROVIDERS.filter(({ keyVariables }) => keyVariables.length > 0).map(({ name }) => name);
    return refuse("not_found", `There is no provider "${provider}" that needs a key.`, {
      hint: hintForUnknown(provider, names, "providers"),
    });
  };
  return {
    templates: () => TEAM_TEMPLATES,

    async engines() {
      const { findModels, usableEngines } = await import("./find-models.ts");
      return usableEngines(await findModels({ env, clock, dir }));
    },

    async providers() {
      const keys = { ...env, ...(await openStoredKeys(home, env)()) };
      return PROVIDERS.flatMap(({ name, keyVariables: [variable, ...others], defaultModel, version }) =>
        variable === undefined || version !== undefined
          ? []
          : [
              {
                name,
                variable,
                ready: [variable, ...others].some((each) => (keys[each] ?? "") !== ""),
                model: defaultModel === undefined ? null : `${name}/${defaultModel}`,
              },
            ],
      );
    },

    async createTeam(name, { engine, model, baseUrl }) {
      const team = TEAM_NAMES.find((each) => each === name);
      if (team === undefined) {
        return refuse("not_found", `There is no team "${name}".`, { hint: hintForUnknown(name, TEAM_NAMES, "teams") });
      }
      if (hasDefinitions(dir)) {
        return refuse("conflict", "This project has definitions already.", { hint: "Add agents to it instead." });
      }
      const chosen = {
        engine,
        ...(model === undefined ? {} : { model }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
      };
      const { hasCommits } = await import("./has-commits.ts");
      const worktrees = await hasCommits({ env, clock, dir });
      const made = await createProjectFiles(dir, team, { engine: chosen, worktrees });
      if (!made.ok) return made;
      const { workflow, agent } = teamTemplate(team);
      return ok({ files: made.value.created, workflow, agent });
    },

    async storeKey(provider, value) {
      const variable = variableOf(provider);
      if (!variable.ok) return variable;
      return ok({ place: await storeKey({ home, env }, variable.value, value, "keyring") });
    },

    async removeKey(provider) {
      const variable = variableOf(provider);
      if (!variable.ok) return variable;
      if (await removeKey({ home, env }, variable.value)) return ok(undefined);
      return refuse("not_found", `No key of ${provider} is kept.`, {
        hint: "A key of the environment of the daemon is not kept here.",
      });
    },

    async examine() {
      const { examine } = await import("../doctor/examine.ts");
      return examine({ projectDir: dir, env, clock, fix: false, reopen: false, trust: false });
    },

    async openDemo() {
      const project = join(home, "demo", "review-team");
      if (!existsSync(join(project, ".workflows"))) {
        await mkdir(join(home, "demo"), { recursive: true, mode: 0o700 });
        await cp(DEMO, project, { recursive: true });
        const { trustNewProject } = await import("../trust/accept.ts");
        await trustNewProject(home, realpathSync(project), { withStore: false });
      }
      return ok({ project: realpathSync(project), workflow: DEMO_WORKFLOW });
    },
  };
}
