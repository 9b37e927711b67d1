import type { AgentDefinition } from "../agent/definition.ts";
import { resolveEntry } from "../agent/resolve.ts";
import type { WorkflowDefinition } from "../workflow/definition.ts";
import type { Abilities } from "./consent.ts";
import { agentPowers, storePowers, workflowPowers } from "./power.ts";

/** The definitions of a project, as far as its abilities depend on them. */
export interface DefinitionReads {
  agent(name: string): AgentDefinition | undefined;
  agents(): readonly AgentDefinition[];
  workflows(): readonly WorkflowDefinition[];
}

/** An agent as it acts: in the workspaces of a workflow, or in direct messages (null). */
export interface AgentInUse {
  readonly definition: AgentDefinition;
  readonly workflow: string | null;
}

export function agentAbilities({ definition, workflow }: AgentInUse): Abilities {
  const { name, permissions = {}, tools } = definition;
  return {
    owner: workflow === null ? name : `${name}@${workflow}`,
    powers: agentPowers(definition),
    rights: { ...permissions, ...(tools === undefined ? {} : { tools }) },
  };
}

/** What the settings of the project can do. */
export function projectAbilities(settings: { readonly store: { readonly url?: string } }): Abilities {
  return { owner: "the project", powers: storePowers(settings.store), rights: {} };
}

/** What a workflow can do by itself; its agents are separate. */
export function workflowAbilities(workflow: WorkflowDefinition): Abilities {
  return { owner: `workflow ${workflow.name}`, powers: workflowPowers(workflow), rights: {} };
}

/** Returns the agents of a workflow as it uses them. One whose reference cannot be resolved is left out. */
export function agentsOfWorkflow(
  { name: workflow, agents }: WorkflowDefinition,
  definitions: Pick<DefinitionReads, "agent">,
): readonly AgentInUse[] {
  return Object.entries(agents).flatMap(([name, entry]) => {
    const resolved = resolveEntry(name, entry, (ref) => definitions.agent(ref));
    return resolved.ok ? [{ definition: resolved.value.definition, workflow }] : [];
  });
}
