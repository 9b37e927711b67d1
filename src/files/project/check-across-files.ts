import { brokenFileOf } from "../../domain/agent/broken-file.ts";
import { checkModel } from "../../domain/agent/named-model.ts";
import { resolveEntry } from "../../domain/agent/resolve.ts";
import { bringsOwnTools, unknownTools } from "../../domain/agent/tool-choice.ts";
import { nameKey } from "../../domain/names.ts";
import type { RefEntry } from "../../domain/workflow/definition.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import type { LoadedAgent, LoadedWorkflow } from "../definitions/load-definition.ts";
import { problem } from "../yaml/problem.ts";
import { contextFolderOf } from "./personal-folder.ts";

type Agents = ReadonlyMap<string, LoadedAgent>;
type Problems = readonly DefinitionProblem[];

/** Returns what is wrong between files that are sound alone. `known` are the problems of the files themselves. */
export function checkAcrossFiles(
  agents: Agents,
  workflows: ReadonlyMap<string, LoadedWorkflow>,
  known: Problems,
): Problems {
  return [
    ...sharedFolders(agents),
    ...[...workflows.values()].flatMap((workflow) => checkWorkflowAgents(workflow, agents, known)),
  ];
}

/** Returns what is wrong with the agents of a workflow when those of the project are known. */
export function checkWorkflowAgents(workflow: LoadedWorkflow, agents: Agents, known: Problems): Problems {
  return Object.entries(workflow.definition.agents).flatMap(([name, entry]) => {
    if (entry.kind === "inline") return shadowed(workflow, name, agents);
    return agents.has(entry.ref)
      ? checkOverrides(workflow, name, entry, agents)
      : unknownRef(workflow, name, entry, agents, known);
  });
}

/** Two agents with one folder for their memories would overwrite each other. */
function sharedFolders(agents: Agents): Problems {
  const owners = new Map<string, LoadedAgent>();
  return [...agents.values()].flatMap((agent) => {
    const folder = nameKey(contextFolderOf(agent.definition));
    const other = owners.get(folder);
    if (other === undefined) owners.set(folder, agent);
    if (other === undefined) return [];
    const message = `The personal context of "${agent.definition.name}" is also that of "${other.definition.name}".`;
    return [
      problem(agent.file, agent.contextPlace, message, {
        path: ["context", "dir"],
        hint: "Choose another context.dir.",
      }),
    ];
  });
}

function unknownRef(
  { file, refPlaces }: LoadedWorkflow,
  name: string,
  { ref }: RefEntry,
  agents: Agents,
  known: Problems,
): Problems {
  const place = refPlaces[name];
  if (place === undefined) return [];
  const create = `Or create it: agent-worker agent create ${ref}`;
  const hint = brokenFileOf(known, "agent", ref) ?? `${hintForUnknown(ref, [...agents.keys()], "agents")} ${create}`;
  return [problem(file, place, `There is no agent "${ref}".`, { path: ["agents", name, "ref"], hint })];
}

/** A person who reads the name expects the agent of the project, with its memory. */
function shadowed({ file, agentPlaces }: LoadedWorkflow, name: string, agents: Agents): Problems {
  const place = agentPlaces[name];
  const other = agents.get(name);
  if (place === undefined || other === undefined) return [];
  return [
    problem(file, place, `"${name}" is defined here again: it is not the agent of ${other.file}, and has no memory.`, {
      severity: "warning",
      path: ["agents", name],
      hint: `Rename it, or take the agent of the project: ${name}: {ref: ${name}}.`,
    }),
  ];
}

/** What a workflow changes of an agent of the project can fit the engine of another agent only. */
function checkOverrides(workflow: LoadedWorkflow, name: string, entry: RefEntry, agents: Agents): Problems {
  const { file, modelPlaces, toolPlaces } = workflow;
  const resolved = resolveEntry(name, entry, (ref) => agents.get(ref)?.definition);
  if (!resolved.ok) return [];
  const { definition } = resolved.value;
  const found: DefinitionProblem[] = [];
  const place = modelPlaces[name];
  const model = entry.model ?? entry.provider ?? entry.backend;
  const known = checkModel(definition);
  if (place !== undefined && model !== undefined && !known.ok) {
    const { message, hint } = known.error;
    found.push(
      problem(file, place, message, { path: ["agents", name, "model"], ...(hint === undefined ? {} : { hint }) }),
    );
  }
  const tools = toolPlaces[name];
  const [unknown] = entry.backend === undefined ? unknownTools(definition).filter(isKnownElsewhere) : [];
  if (tools !== undefined && entry.tools !== undefined && unknown !== undefined && bringsOwnTools(definition)) {
    const message = `${definition.backend} has tools of its own, so "${unknown}" chooses nothing.`;
    const hint = "Say in permissions which of its tools it may use.";
    found.push(problem(file, tools, message, { path: ["agents", name, "tools"], hint }));
  }
  return found;
}

/** A name that no engine knows is reported with the file. */
function isKnownElsewhere(tool: string): boolean {
  return unknownTools({ tools: [tool] }).length === 0;
}
