import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { resolveEntry } from "../../domain/agent/resolve.ts";
import type { AgentEntry } from "../../domain/workflow/definition.ts";
import type { DefinitionProblem, Definitions, DefinitionUse } from "../../ports/definitions.ts";

/** An agent as the files define it now. */
export interface CurrentAgent {
  readonly definition: AgentDefinition;
  /** Text that the workflow appends to the agent's own prompt. */
  readonly promptAppend: string | null;
  /** The agent of the project, or the ephemeral one, that it is; null when it exists only in its workspace. */
  readonly ref: string | null;
  /** The agent of the project whose personal context it has; null when it has none. */
  readonly owner: string | null;
}

export type FoundDefinition =
  | { readonly kind: "found"; readonly agent: CurrentAgent }
  /** One of its files has a mistake: it will be there again when that is mended. */
  | { readonly kind: "broken"; readonly problem: DefinitionProblem }
  /** No file defines it. `reason` is for people. */
  | { readonly kind: "removed"; readonly reason: string };

export type DefinitionReads = Pick<Definitions, "agent" | "workflow" | "isEphemeral" | "broken">;

/** The only place that says what an agent is: in direct messages its own file, in a workspace that of the workflow, too. */
export function findDefinition(definitions: DefinitionReads, use: DefinitionUse): FoundDefinition {
  const problem = definitions.broken(use);
  if (problem !== undefined) return { kind: "broken", problem };
  return use.workflow === null ? findAgent(definitions, use.agent) : findMember(definitions, use.agent, use.workflow);
}

function findAgent(definitions: DefinitionReads, name: string): FoundDefinition {
  const definition = definitions.agent(name);
  if (definition === undefined) {
    return removed(`There is no agent called "${name}" any more: its definition was removed.`);
  }
  const owner = definitions.isEphemeral(name) ? null : name;
  return { kind: "found", agent: { definition, promptAppend: null, ref: name, owner } };
}

function findMember(
  definitions: DefinitionReads,
  name: string,
  workflow: NonNullable<DefinitionUse["workflow"]>,
): FoundDefinition {
  const file = definitions.workflow(workflow.name, workflow.file);
  if (file === undefined) {
    return removed(`There is no workflow called "${workflow.name}" any more: its file was removed.`);
  }
  const entry = Object.hasOwn(file.agents, name) ? file.agents[name] : undefined;
  if (entry === undefined) {
    return removed(`${name} does not take part in "${workflow.name}" any more: it was removed from the workflow.`);
  }
  const resolved = resolve(definitions, name, entry);
  if (!resolved.ok) {
    const ref = entry.kind === "ref" ? entry.ref : name;
    return removed(`${name} is the agent "${ref}", which does not exist any more: its definition was removed.`);
  }
  const { definition, promptAppend = null, refName = null } = resolved.value;
  const owner = refName === null || definitions.isEphemeral(refName) ? null : refName;
  return { kind: "found", agent: { definition, promptAppend, ref: refName, owner } };
}

const RESOLVED = new WeakMap<
  AgentEntry,
  {
    readonly name: string;
    readonly base: AgentDefinition | undefined;
    readonly resolved: ReturnType<typeof resolveEntry>;
  }
>();

/** Made once as long as neither file changes: who gets the same definition may keep what it made of it. */
function resolve(definitions: DefinitionReads, name: string, entry: AgentEntry) {
  const base = entry.kind === "ref" ? definitions.agent(entry.ref) : undefined;
  const known = RESOLVED.get(entry);
  if (known?.name === name && known.base === base) return known.resolved;
  const resolved = resolveEntry(name, entry, () => base);
  RESOLVED.set(entry, { name, base, resolved });
  return resolved;
}

function removed(reason: string): FoundDefinition {
  return { kind: "removed", reason };
}
