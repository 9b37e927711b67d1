import { statSync, unlinkSync } from "node:fs";
import { posix, resolve } from "node:path";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { checkAgentName, nameKey } from "../../domain/names.ts";
import type { WorkflowDefinition } from "../../domain/workflow/definition.ts";
import { ownWorkflow } from "../../domain/workflow/own-workflow.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse } from "../../kernel/refusal.ts";
import type { Refusal } from "../../kernel/refusal.ts";
import { ok } from "../../kernel/result.ts";
import type { Result } from "../../kernel/result.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createSerialQueue } from "../../kernel/serial-queue.ts";
import type { DefinitionProblem, Definitions } from "../../ports/definitions.ts";
import { openFolder } from "../confined-folder.ts";
import { applyDefaults } from "../definitions/normalise/apply-defaults.ts";
import { fileFault } from "../file-fault.ts";
import { formatProblem } from "../yaml/problem.ts";
import { createDefinitionEditing } from "../editing/definition-editing.ts";
import { removeFromListing } from "./agent-listing.ts";
import { allowCalls } from "../definitions/allow-calls.ts";
import { createAgentFile } from "./create-agent-file.ts";
import { brokenProjectFile, createDefinitionFiles } from "./definition-files.ts";
import { createFileCache, loadProject, type LoadedProject } from "./load-project.ts";
import { loadTeam } from "./load-team.ts";
import { createNamedWorkflows } from "./named-workflows.ts";
import { contextFolderOf, removePersonalFolder } from "./personal-folder.ts";
import { watchDefinitions } from "./watch-definitions.ts";
import { writeSchemas } from "./write-schemas.ts";

/**
 * The definitions of one project, in memory. Tasks that touch the disk run one after the other, so that a scan that
 * began before a change never overwrites the result of the change.
 */
export async function openDefinitions(
  projectDir: string,
  { ownTools }: { readonly ownTools?: readonly string[] } = {},
): Promise<Definitions> {
  const cache = createFileCache();
  const ephemeral = new Map<string, AgentDefinition>();
  const teams = new Map<string, WorkflowDefinition>();
  /** Of ephemeral agents, by their names. */
  const ownWorkflows = new Map<string, WorkflowDefinition>();
  let teamsSoFar = 0;
  let project: LoadedProject = await loadProject(projectDir, { cache, ownTools });
  // Names by their key, because each new agent is checked and a project may have ten thousand.
  let inFiles = namesByKey(project.agents.keys());
  const inMemory = namesByKey([]);
  /** All smaller numbers of ephemeral agents are taken. */
  let firstFree = 1;
  const queue = createSerialQueue();
  let waitingRefresh: Promise<void> | undefined;
  const named = createNamedWorkflows(projectDir, () => project.settings);
  const isEphemeral = (name: string): boolean => ephemeral.has(name) && !project.agents.has(name);
  const files = createDefinitionFiles(projectDir, () => project, named, {
    agent: isEphemeral,
    team: (name) => teams.get(name) ?? (project.workflows.has(name) ? undefined : ownWorkflows.get(name)),
  });
  const observers = new Set<() => Promise<void>>();
  /** When files disappeared, by the kind and name of what they defined. */
  const vanished = new Map<string, number>();
  let isChanged = false;
  /** All agents by name, until one changes: each run asks for them. */
  let listed: readonly AgentDefinition[] | undefined;
  let notified: Promise<void> = Promise.resolve();

  /** `except`: an agent that this registry itself changes; whoever asked for that knows. */
  const reload = async (except?: string): Promise<void> => {
    const before = project;
    const read = await loadProject(projectDir, { cache, ownTools });
    // Without a valid project file it is not known what there is: what was there stays, and is broken.
    project =
      brokenProjectFile(read) === undefined ? read : { ...before, problems: read.problems, stamps: read.stamps };
    inFiles = namesByKey(project.agents.keys());
    listed = undefined;
    const namedChanged = named.refresh();
    isChanged ||= namedChanged || !isSameProject(before, project, except);
    noteVanished(vanished, before, project);
    files.lookAgain();
  };
  /** Resolves when the observers know of every change so far. */
  const notify = (): Promise<void> => {
    if (isChanged) {
      isChanged = false;
      notified = notified.then(async () => {
        for (const changed of observers) await changed();
      });
    }
    return notified;
  };
  const change = async <T>(task: () => Promise<T>): Promise<T> => {
    const result = await queue.run(task);
    await notify();
    return result;
  };
  const forget = (name: string): boolean => {
    if (!ephemeral.delete(name)) return false;
    inMemory.delete(nameKey(name));
    listed = undefined;
    ownWorkflows.delete(name);
    firstFree = 1;
    return true;
  };
  const refresh = (): Promise<void> => {
    waitingRefresh ??= change(() => {
      waitingRefresh = undefined;
      return reload();
    });
    return waitingRefresh;
  };

  const agent = (name: string): AgentDefinition | undefined =>
    project.agents.get(name)?.definition ?? ephemeral.get(name);
  const names = (): readonly string[] => [...new Set([...project.agents.keys(), ...ephemeral.keys()])];
  const checkFree = (name: string, except?: string): Result<void, Refusal> => {
    const checked = checkAgentName(name);
    if (!checked.ok) return checked;
    const owners = [inFiles, inMemory].map((byKey) => byKey.get(nameKey(name)));
    const taken = owners.find((other) => other !== undefined && other !== except);
    if (taken === undefined) return ok(undefined);
    return refuse("conflict", `There is already an agent "${taken}".`, {
      hint: "Choose another name, or delete it first.",
    });
  };

  const workflow = (name: string, file: string | null = null): WorkflowDefinition | undefined => {
    if (file === null) return teams.get(name) ?? project.workflows.get(name)?.definition ?? ownWorkflows.get(name);
    const found = named.find(file);
    // A workspace keeps its name when the file is given another one.
    return found === undefined || found.name === name ? found : { ...found, name };
  };
  const newTeamName = (): string => {
    const taken = new Set([...project.workflows.keys()].map(nameKey));
    do teamsSoFar += 1;
    while (taken.has(`team-${teamsSoFar}`));
    return `team-${teamsSoFar}`;
  };

  const create = async (definition: AgentDefinition, promoted?: string): Promise<Result<{ file: string }, Refusal>> => {
    await reload();
    const free = checkFree(definition.name, promoted);
    if (!free.ok) return free;
    const created = await createAgentFile(projectDir, project, definition);
    if (created.ok && promoted !== undefined) forget(promoted);
    if (created.ok) {
      await writeSchemas(projectDir);
      await reload(definition.name);
    }
    return created;
  };

  const remove = async (name: string, context: boolean): Promise<Result<void, Refusal>> => {
    await reload();
    const loaded = project.agents.get(name);
    const file = loaded?.file ?? project.broken.agents.get(name)?.file;
    if (file === undefined) {
      return forget(name)
        ? ok(undefined)
        : refuse("not_found", `There is no agent "${name}".`, { hint: hintForUnknown(name, names(), "agents") });
    }
    if (file === project.projectFile) {
      return refuse("conflict", `The agent "${name}" is written inside ${file}.`, {
        hint: `Remove it from ${file} by hand.`,
      });
    }
    const removed = removeFile(projectDir, file);
    if (!removed.ok) return removed;
    if (project.listsAgents && project.projectFile !== undefined) {
      const unlisted = await removeFromListing(projectDir, project.projectFile, file);
      if (!unlisted.ok) return unlisted;
    }
    // Where a broken file keeps the context is not known: the usual folder is its own in any case.
    const definition = loaded?.definition ?? { name };
    const whole = loaded?.definition.contextDir === undefined;
    const emptied = context ? removePersonalFolder(projectDir, contextFolderOf(definition), { whole }) : ok(undefined);
    await reload(name);
    vanished.delete(`agent ${name}`);
    return emptied;
  };

  return {
    agent,
    hasOthers: (name) => project.agents.size > (project.agents.has(name) ? 1 : 0),
    agents: () => (listed ??= sortedByName(names().flatMap((name) => agent(name) ?? []))),
    workflow,
    workflows: () => sortedByName([...project.workflows.values()].map(({ definition }) => definition)),
    namedWorkflows: () => named.all(),
    settings: () => project.settings,
    hasSettings: () => project.isRead,
    problems: () => project.problems,
    broken: files.broken,
    brokenAgents: () => listBroken(project, "agents"),
    brokenWorkflows: () => listBroken(project, "workflows"),
    vanishedLately: (use) =>
      [`agent ${files.agentOf(use)}`, `workflow ${use.workflow?.name}`].some(
        (key) => systemClock.monotonic() - (vanished.get(key) ?? -Infinity) < REPLACED_WITHIN_MS,
      ),
    filesOf: files.filesOf,
    changedAt: (paths) => {
      const times = paths.flatMap(
        (path) => statSync(resolve(projectDir, path), { throwIfNoEntry: false })?.mtimeMs ?? [],
      );
      return times.length === 0 ? null : Math.round(Math.max(...times));
    },
    isCurrent: files.isCurrent,
    refresh,
    observe: (changed) => {
      observers.add(changed);
      return { [Symbol.dispose]: () => void observers.delete(changed) };
    },
    watch: (mayHaveChanged) => watchDefinitions(projectDir, mayHaveChanged),
    createAgent: (definition) => change(() => create(definition)),
    allowCalls: (name, patterns, options) =>
      change(async () => {
        await reload();
        const allowed = await allowCalls(projectDir, project, name, patterns, options);
        if (allowed.ok && options.write) await reload(name);
        return allowed;
      }),
    ...createDefinitionEditing({ projectDir, project: () => project, reload, change }),
    deleteAgent: (name, { context }) => change(() => remove(name, context)),
    readWorkflow: (path) => {
      const file = named.nameOf(path);
      const { loaded, problems } = named.read(file);
      if (loaded === undefined) return refuseFile(path, problems);
      const { name } = loaded.definition;
      return ok({ name, file: project.workflows.get(name)?.file === file ? null : file });
    },
    addTeam: (agents) => {
      const team = loadTeam(projectDir, newTeamName(), agents, project.settings.defaults);
      if (team.ok) teams.set(team.value.name, team.value);
      return team;
    },
    removeTeam: (name) => void teams.delete(name),
    nextEphemeralName: () => {
      const isTaken = (name: string): boolean => inFiles.has(nameKey(name)) || inMemory.has(nameKey(name));
      while (isTaken(`agent-${firstFree}`)) firstFree += 1;
      return `agent-${firstFree}`;
    },
    addEphemeral: (definition, { workspace } = { workspace: false }) => {
      const free = checkFree(definition.name);
      if (!free.ok) return free;
      if (workspace && workflow(definition.name) !== undefined) {
        return refuse("conflict", `There is already a workflow "${definition.name}".`, {
          hint: "The agent's workspace has the name of the agent. Choose another name.",
        });
      }
      if (workspace) ownWorkflows.set(definition.name, ownWorkflow(definition.name));
      ephemeral.set(definition.name, applyDefaults(definition, project.settings.defaults));
      inMemory.set(nameKey(definition.name), definition.name);
      listed = undefined;
      return free;
    },
    removeEphemeral: forget,
    isEphemeral,
    promote: (from, name) =>
      change(async () => {
        const definition = ephemeral.get(from);
        if (definition !== undefined) return create({ ...definition, name }, from);
        return refuse("not_found", `There is no ephemeral agent "${from}".`, {
          hint: hintForUnknown(from, [...ephemeral.keys()], "ephemeral agents"),
        });
      }),
  };
}

/** A program that replaces a file may remove it first; it is there again within this time. */
const REPLACED_WITHIN_MS = 500;

/** Notes what has no file any more, and forgets what has one again. */
function noteVanished(vanished: Map<string, number>, before: LoadedProject, now: LoadedProject): void {
  for (const [kind, earlier, later] of [
    ["agent", before.agents, now.agents],
    ["workflow", before.workflows, now.workflows],
  ] as const) {
    for (const name of earlier.keys()) if (!later.has(name)) vanished.set(`${kind} ${name}`, systemClock.monotonic());
    for (const name of later.keys()) vanished.delete(`${kind} ${name}`);
  }
}

function isSameProject(a: LoadedProject, b: LoadedProject, except: string | undefined): boolean {
  return (
    isSame(a.settings, b.settings) &&
    isSame(a.problems, b.problems) &&
    haveSameDefinitions(a.workflows, b.workflows) &&
    haveSameDefinitions(a.agents, b.agents, except)
  );
}

function haveSameDefinitions(a: Loaded, b: Loaded, except?: string): boolean {
  const names = new Set([...a.keys(), ...b.keys()]);
  return names.values().every((name) => name === except || isSame(a.get(name)?.definition, b.get(name)?.definition));
}

type Loaded = ReadonlyMap<string, { readonly definition: AgentDefinition | WorkflowDefinition }>;

/** A file that was not read again has the same object. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function removeFile(projectDir: string, file: string): Result<void, Refusal> {
  const folder = posix.dirname(file);
  const opened = openFolder(projectDir, folder === "." ? [] : folder.split("/"));
  if (!opened.ok) return opened;
  using parent = opened.value;
  try {
    unlinkSync(parent.at(posix.basename(file)));
    return ok(undefined);
  } catch (error) {
    throw fileFault("write", file, error);
  }
}

function refuseFile(path: string, problems: readonly DefinitionProblem[]): Result<never, Refusal> {
  return refuse("invalid", `The workflow ${path} cannot be used.\n${problems.map(formatProblem).join("\n")}`, {
    hint: "Correct the file and try again.",
    details: { problems },
  });
}

/** All of them while the project file is broken. */
function listBroken(project: LoadedProject, kind: "agents" | "workflows") {
  const projectFile = brokenProjectFile(project);
  const all = new Map(projectFile === undefined ? [] : Array.from(project[kind].keys(), (name) => [name, projectFile]));
  for (const [name, problem] of project.broken[kind]) if (!project[kind].has(name)) all.set(name, problem);
  return sortedByName([...all].map(([name, problem]) => ({ name, problem })));
}

function namesByKey(names: Iterable<string>): Map<string, string> {
  return new Map(Array.from(names, (name) => [nameKey(name), name]));
}

function sortedByName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
