import type { Abilities } from "../../domain/trust/consent.ts";
import {
  agentAbilities,
  agentsOfWorkflow,
  projectAbilities,
  workflowAbilities,
} from "../../domain/trust/project-abilities.ts";
import type { LoadedProject } from "../../files/project/load-project.ts";
import { newAgent } from "./new-agent.ts";

/** What a project can do, as its files say. For programs that read the files once and have no daemon. */
export function loadedAbilities({ agents, workflows, settings }: LoadedProject): readonly Abilities[] {
  const agent = (name: string) => agents.get(name)?.definition;
  return [
    ...[...agents.values()].map(({ definition }) => agentAbilities({ definition, workflow: null })),
    ...[...workflows.values()].flatMap(({ definition }) => [
      workflowAbilities(definition),
      ...agentsOfWorkflow(definition, { agent }).map(agentAbilities),
    ]),
    agentAbilities(newAgent(settings.defaults)),
    projectAbilities(settings),
  ];
}
