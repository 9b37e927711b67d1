import type { Abilities } from "../../domain/trust/consent.ts";
import { projectAbilities } from "../../domain/trust/project-abilities.ts";
import type { LoadedProject } from "../../files/project/load-project.ts";

/** What a project can do, as its files say. For programs that read the files once and have no daemon. */
export function loadedAbilities({ agents, workflows }: LoadedProject): Abilities {
  return projectAbilities({
    agent: (name) => agents.get(name)?.definition,
    agents: () => [...agents.values()].map(({ definition }) => definition),
    workflows: () => [...workflows.values()].map(({ definition }) => definition),
  });
}
