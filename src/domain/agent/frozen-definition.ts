import type { AgentDefinition } from "./definition.ts";

/**
 * The definition an agent joined a workspace with is kept as JSON and read for every prompt of every colleague, while
 * there are only as many of them as there are agents: each is parsed once.
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
