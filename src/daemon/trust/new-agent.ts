import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { NEW_AGENT } from "../../domain/trust/consent.ts";
import type { AgentInUse } from "../../domain/trust/project-abilities.ts";
import { applyDefaults } from "../../files/definitions/normalise/apply-defaults.ts";
import type { ProjectDefaults } from "../../ports/definitions.ts";

/**
 * An agent with nothing but the defaults of the project file. What it can do is shown and consented to like that of other
 * agents, so that agents which a person makes later need no question about the defaults.
 */
export function newAgent(defaults: ProjectDefaults): AgentInUse {
  return {
    definition: applyDefaults<AgentDefinition>({ name: NEW_AGENT, prompt: { system: "" } }, defaults),
    workflow: null,
  };
}
