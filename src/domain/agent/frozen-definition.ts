import type { AgentDefinition } from "./definition.ts";

/**
 * The definition with which an agent joined a workspace is stored as JSON and read for every prompt of every other
 * agent. There are only as many different ones as there are agents, so each is parsed once.
 */
const parsed = new Map<string, AgentDefinition>();
const MAX_CACHED = 2_000;

export function readFrozenDefinition(json: string): AgentDefinition {
  const cached = parsed.get(json);
  if (cached !== undefined) return cached;
  const definition = JSON.parse(json) as AgentDefinition;
  if (parsed.size >= MAX_CACHED) parsed.clear();
  parsed.set(json, definition);
  return definition;
}
