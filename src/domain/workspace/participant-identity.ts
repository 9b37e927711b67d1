import { readFrozenDefinition } from "../agent/frozen-definition.ts";

/** An agent in a workspace, with the definition it joined with. */
export interface Participant {
  readonly agent: string;
  /** The agent is the agent of the project with this name. */
  readonly isRef: boolean;
  /** The effective definition, as JSON. */
  readonly definition: string;
}

/**
 * Returns the agent of the project whose personal context the participant has; its name in the workspace may differ.
 * Null for an agent that exists only in its workspace, even if the project has an agent of the same name.
 */
export function projectAgentOf({ agent, isRef, definition }: Participant): string | null {
  if (isRef) return agent;
  const { name } = readFrozenDefinition(definition);
  return name === agent ? null : name;
}
