import type { AgentDefinition } from "../domain/agent/definition.ts";
import type { ParticipantRecord } from "../ports/store/workspace.ts";

/**
 * The agent of the project that takes part, under whatever name the workflow gives it; null for an agent that exists
 * in its workspace only, even when the project has one of the same name.
 */
export function projectAgentOf({ agent, isRef, definition }: ParticipantRecord): string | null {
  if (isRef) return agent;
  const { name } = JSON.parse(definition) as AgentDefinition;
  return name === agent ? null : name;
}
