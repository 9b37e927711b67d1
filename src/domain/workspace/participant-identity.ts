import { readFrozenDefinition } from "../agent/frozen-definition.ts";

/** How a workspace knows one of its agents, and what it joined with. */
export interface Participant {
  readonly agent: string;
  /** It is the agent of the project that has this name. */
  readonly isRef: boolean;
  /** The effective definition, as JSON. */
  readonly definition: string;
}

/**
 * The agent of the project that takes part, under whatever name the workflow gives it: the one whose personal context
 * comes along. Null for an agent that exists in its workspace only, even when the project has one of the same name.
 */
export function projectAgentOf({ agent, isRef, definition }: Participant): string | null {
  if (isRef) return agent;
  const { name } = readFrozenDefinition(definition);
  return name === agent ? null : name;
}
