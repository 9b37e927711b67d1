import { join } from "node:path";
import type { AgentDefinition, EngineName } from "../domain/agent/definition.ts";
import { createWorktrees } from "../engines/process/git-worktree.ts";
import { createHostShell } from "../engines/shell/host-shell.ts";
import { checkFileName } from "../files/confined-path.ts";
import { readSystemPrompt } from "../files/definitions/locate-system-file.ts";
import { createSkills } from "../files/skills/skill-folders.ts";
import { createClosers } from "../kernel/disposal.ts";
import { createIds } from "../kernel/ids.ts";
import { ok } from "../kernel/result.ts";
import type { BegunRun } from "../operations/runs/begin-run.ts";
import type { Engine } from "../ports/engine.ts";
import type { ToolEndpoint } from "../ports/tools.ts";
import type { RunCredential } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import { startRuntime, type ProjectRuntime } from "../runtime/project-runtime.ts";
import { createWorkflowLifecycle, type WorkflowLifecycle } from "../runtime/workflows/workflow-lifecycle.ts";
import { builtInEngines } from "./built-in-engines.ts";
import { openProject, type Project, type ProjectOptions } from "./open-project.ts";
import { createRunTools, listSkills } from "../runtime/runs/run-tools.ts";

/** A project at work: its loops run, its schedules fire, its workflows can be started. */
export type DaemonProject = Project & RunningProject;

export interface RunningProjectOptions extends ProjectOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Engines beside the built-in ones, or in their place. Whoever made them disposes them. */
  readonly engines?: ReadonlyMap<EngineName, Engine>;
  /** Lets programs of their own reach the tools of a run. */
  readonly issueRunToken?: (credential: RunCredential) => ToolEndpoint & Disposable;
}

const CLOSE_DEADLINE_MS = 15_000;

export async function openRunningProject(options: RunningProjectOptions): Promise<DaemonProject> {
  const { clock, random, log, env } = options;
  let runtime: ProjectRuntime | undefined;
  const project = await openProject({
    ...options,
    wake: (mailboxes) => {
      const woken = [...mailboxes];
      runtime?.loops.wake(woken);
      options.wake?.(woken);
    },
  });
  const closers = createClosers(clock, {
    deadlineMs: CLOSE_DEADLINE_MS,
    onProblem: ({ name, error }) => log.error("could not close", { part: name, error }),
  });
  closers.add("project", () => project[Symbol.asyncDispose]());
  try {
    const { dir, system, services, events } = project;
    const builtIn = builtInEngines({ clock, random, log, env, projectDir: dir });
    for (const [name, engine] of builtIn) closers.add(`engine ${name}`, () => engine[Symbol.asyncDispose]());

    const engines = new Map([...builtIn, ...(options.engines ?? [])]);
    const skills = createSkills({ projectDir: dir, homeDir: env["HOME"] ?? dir });
    let workflows: WorkflowLifecycle | undefined;
    // Loops may begin their work before the project is put together.
    const atWork = Promise.withResolvers<RunningProject>();
    const { issueRunToken } = options;
    const runCredentials =
      issueRunToken === undefined
        ? {}
        : {
            issueRunToken: async (credential: Omit<RunCredential, "project">) =>
              issueRunToken({ ...credential, project: await atWork.promise }),
          };
    const started = await startRuntime({
      system,
      services,
      events,
      clock,
      random,
      log,
      leaseOwner: createIds(clock, random)("own"),
      projectDir: dir,
      read: (work) => project.store.read(work),
      engines,
      systemPrompt: (prompt) => readSystemPrompt(dir, prompt),
      skills: (definition) => listSkills(skills, definition),
      tools: (begun: BegunRun, definition: AgentDefinition) =>
        createRunTools({
          system,
          begun,
          definition,
          log,
          clock,
          env,
          skills,
          projectDir: dir,
          provenance: services.provenance,
          ...runCredentials,
        }),
      worktree: createWorktrees({ clock, projectDir: dir, env }),
      setupRunning: (space) => workflows?.isInSetup(space) ?? false,
    });
    runtime = started;
    closers.add("runtime", () => started[Symbol.asyncDispose]());

    const life = createWorkflowLifecycle({
      system,
      services,
      shell: createHostShell(clock, env),
      idle: () => started.idle,
      log,
      projectDir: dir,
      env,
      folder: (cwd) => {
        if (cwd === undefined || cwd === "." || cwd === "./") return ok(dir);
        const checked = checkFileName(cwd.replace(/^\.\//, "").replace(/\/+$/, ""), { hidden: true });
        return checked.ok ? ok(join(dir, checked.value)) : checked;
      },
      read: (work) => project.store.read(work),
    });
    workflows = life;
    closers.add("workflows", () => life[Symbol.asyncDispose]());
    const live: DaemonProject = {
      ...project,
      runtime: started,
      workflows: life,
      [Symbol.asyncDispose]: () => closers[Symbol.asyncDispose](),
    };
    atWork.resolve(live);
    await life.recover();
    return live;
  } catch (error) {
    await closers[Symbol.asyncDispose]();
    throw error;
  }
}
