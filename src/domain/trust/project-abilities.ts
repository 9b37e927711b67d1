import type { AgentDefinition, Permissions } from "../agent/definition.ts";
import { resolveEntry } from "../agent/resolve.ts";
import type { WorkflowDefinition } from "../workflow/definition.ts";
import { permissionsKey, type Abilities } from "./consent.ts";
import { agentPowers, workflowPowers, type Power } from "./power.ts";

/** The definitions of a project, as far as its abilities depend on them. */
export interface DefinitionReads {
  agent(name: string): AgentDefinition | undefined;
  agents(): readonly AgentDefinition[];
  workflows(): readonly WorkflowDefinition[];
}

/** What an agent can do; `workflow` names the workflow in whose workspace it acts, null in direct messages. */
export function agentAbilities(definition: AgentDefinition, workflow: string | null): Abilities {
  const { name, permissions = {} } = definition;
  return { powers: agentPowers(definition), permissions: { [permissionsKey(name, workflow)]: permissions } };
}

/** What a workflow can do: its own setup and variables, and its agents as it uses them. */
export function workflowAbilities(workflow: WorkflowDefinition, definitions: DefinitionReads): Abilities {
  const agents = Object.entries(workflow.agents).flatMap(([name, entry]) => {
    const resolved = resolveEntry(name, entry, (ref) => definitions.agent(ref));
    return resolved.ok ? [agentAbilities(resolved.value.definition, workflow.name)] : [];
  });
  return mergeAbilities([{ powers: workflowPowers(workflow), permissions: {} }, ...agents]);
}

/** What a project can do, with all its agents and workflows. */
export function projectAbilities(definitions: DefinitionReads): Abilities {
  return mergeAbilities([
    ...definitions.agents().map((agent) => agentAbilities(agent, null)),
    ...definitions.workflows().map((workflow) => workflowAbilities(workflow, definitions)),
  ]);
}

export function mergeAbilities(all: readonly Abilities[]): Abilities {
  const powers = new Map<string, Power>();
  const permissions: Record<string, Permissions> = {};
  for (const each of all) {
    for (const power of each.powers) powers.set(power.text, power);
    Object.assign(permissions, each.permissions);
  }
  return { powers: [...powers.values()], permissions };
}
