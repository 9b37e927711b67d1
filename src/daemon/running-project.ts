import { join } from "node:path";
import type { EngineName } from "../domain/agent/definition.ts";
import type { Environment } from "../domain/workflow/start-variables.ts";
import { createGitWorktrees } from "../engines/git/git-worktrees.ts";
import { lazyGuardModels } from "../engines/lazy-guard-models.ts";
import { createSetupShell } from "../engines/shell/setup-shell.ts";
import { createShellTools } from "../engines/tools/shell-tools.ts";
import { createSkillTools } from "../engines/tools/skill-tools.ts";
import { checkFileName } from "../files/confined-path.ts";
import { readSystemPrompt } from "../files/definitions/system-prompt-file.ts";
import { openEnvFile } from "../files/project/env-file.ts";
import { readGuidance } from "../files/project/project-guidance.ts";
import { createSkills } from "../files/skills/skill-folders.ts";
import { createClosers } from "../kernel/disposal.ts";
import { ok } from "../kernel/result.ts";
import type { Engine } from "../ports/engine.ts";
import type { GuardModels, ModelFailure } from "../ports/guard-models.ts";
import type { RunCredentials } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { startProject } from "../runtime/start-project.ts";
import type { WorkHold } from "../runtime/work-hold.ts";
import { builtInEngines } from "./built-in-engines.ts";
import { createProjectMachine } from "./machine/project-machine.ts";
import type { RunSlots } from "../runtime/node/run-slots.ts";
import { listUsableEngines } from "./node/usable-engines.ts";
import { openProject, type Project, type ProjectOptions } from "./open-project.ts";
import type { StoredKeys } from "./keys/stored-keys.ts";
import { packagePlaces } from "./providers/package-places.ts";
import { secretsIn } from "./secrets-in-environment.ts";

export type DaemonProject = Project & RunningProject;

export interface RunningProjectOptions extends ProjectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In addition to the built-in engines, or in place of those of the same name. The caller disposes them. */
  readonly engines?: ReadonlyMap<EngineName, Engine>;
  readonly runCredentials?: Pick<RunCredentials, "issue">;
  readonly hold?: WorkHold;
  /** Places for runs, shared by all projects. Absent: there is no limit. */
  readonly slots?: RunSlots;
  /** The home of the daemon. */
  readonly home?: string;
  /** Keys of providers that the person keeps in the home. */
  readonly storedKeys?: StoredKeys;
}

const CLOSE_DEADLINE_MS = 15_000;

/** Opens a project and starts it with the engines, the shell and the files of this machine. */
export async function openRunningProject(options: RunningProjectOptions): Promise<DaemonProject> {
  const { clock, random, log, env, runCredentials, redactor } = options;
  const closers = createClosers(clock, {
    deadlineMs: CLOSE_DEADLINE_MS,
    onProblem: ({ name, error }) => log.error("could not close", { part: name, error }),
  });
  const packages = packagePlaces({ home: options.home, env, projectDir: options.dir });
  const keys = options.storedKeys === undefined ? {} : { storedKeys: options.storedKeys };
  const models = { clock, random, log, env, ...keys, packages };
  const guardModels = lazyGuardModels({ ...models, projectVariables: () => projectVariables() });
  const worktrees = (projectDir: string) => createGitWorktrees({ clock, projectDir, env });
  const { home } = options;
  const machine =
    home === undefined
      ? {}
      : { machine: (projectDir: string) => createProjectMachine({ dir: projectDir, home, env, clock }) };
  const held = heldModels(guardModels, options);
  const usableEngines = () => listUsableEngines({ env, clock, dir: options.dir });
  const project = await openProject({
    usableEngines,
    ...options,
    ...machine,
    guardModels: held,
    packages,
    worktrees,
  });
  const { dir } = project;
  closers.add("project", () => project[Symbol.asyncDispose]());
  const envFile = openEnvFile(dir);
  const hideSecrets = (variables: Environment): void => {
    for (const secret of secretsIn(variables)) redactor.add(secret);
  };
  let hidden: Environment = {};
  /** A project that nobody trusted has none. */
  const projectVariables = (): Readonly<Record<string, string>> => {
    const variables = project.atRest ? {} : envFile().variables;
    if (variables !== hidden) hideSecrets(variables);
    hidden = variables;
    return variables;
  };
  try {
    const builtIn = project.atRest ? new Map() : builtInEngines({ ...models, projectVariables, projectDir: dir });
    closers.add("models of the guard", () => guardModels[Symbol.asyncDispose]());
    for (const [name, engine] of builtIn) closers.add(`engine ${name}`, () => engine[Symbol.asyncDispose]());
    const shellParts = { clock, environment: env, projectVariables };
    const skills = createSkills({ projectDir: dir, homeDir: env["HOME"] ?? dir });
    return await startProject(
      project,
      {
        clock,
        random,
        log,
        env,
        leaseOwner: project.services.node.facts().instance,
        engines: new Map([...builtIn, ...(options.engines ?? [])]),
        systemPrompt: (prompt) => readSystemPrompt(dir, prompt),
        skills,
        guidance: (cwd) => readGuidance(dir, cwd),
        skillTools: () => createSkillTools(skills),
        shellTools: (definition, askApproval, { personalFolders, root }) =>
          createShellTools({ ...shellParts, projectDir: root, definition, askApproval, personalFolders }),
        projectVariables,
        hideSecrets,
        shell: createSetupShell(clock),
        folder: (cwd) => {
          if (cwd === undefined || cwd === "." || cwd === "./") return ok(dir);
          const checked = checkFileName(cwd.replace(/^\.\//, "").replace(/\/+$/, ""), { hidden: true });
          return checked.ok ? ok(join(dir, checked.value)) : checked;
        },
        ...(options.slots === undefined ? {} : { slots: options.slots }),
        ...(options.hold === undefined ? {} : { hold: options.hold }),
        ...(runCredentials === undefined ? {} : { runCredentials }),
      },
      closers,
    );
  } catch (error) {
    await closers[Symbol.asyncDispose]();
    throw error;
  }
}

/** The guard asks no model while work is held. */
function heldModels(models: GuardModels, { hold, dir }: RunningProjectOptions): GuardModels {
  const isHeld = (): boolean => hold?.isHeld(dir) === true;
  return {
    complete: async (request) => (isHeld() ? HELD : models.complete(request)),
    embed: async (request) => (isHeld() ? HELD : models.embed(request)),
  };
}

const HELD: ModelFailure = { ok: false, reason: "Everything was stopped, and this project does not go on yet." };
