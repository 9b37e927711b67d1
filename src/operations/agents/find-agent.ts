import { refuseBroken } from "../../domain/agent/broken-file.ts";
import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";

/** Returns an agent of the project as its file says now. May read files: never call it in a transaction. */
export async function findAgent(definitions: Definitions, name: string): Promise<Result<AgentDefinition, Refusal>> {
  const use = { agent: name, workflow: null };
  if (definitions.agent(name) === undefined || !definitions.isCurrent(use)) await definitions.refresh();
  const found = definitions.agent(name);
  if (found !== undefined) return ok(found);
  const problem = definitions.broken(use);
  if (problem !== undefined) return refuseBroken("agent", name, problem);
  const names = definitions.agents().map((agent) => agent.name);
  return refuse("not_found", `There is no agent called "${name}".`, {
    hint: hintForUnknownAgent(name, names),
    details: { kind: "agent", name },
  });
}

/** What a person can do who named an agent that does not exist. Who has none at all wants a team first. */
export function hintForUnknownAgent(name: string, names: readonly string[]): string {
  if (names.length === 0) return "There are no agents here yet. Make a team with: agent-worker init";
  return `${hintForUnknown(name, names, "agents")} Create it with: agent-worker agent create ${name}`;
}

/** The same, and refuses one that can answer nothing because the project file is broken. */
export async function findUsableAgent(
  definitions: Definitions,
  name: string,
): Promise<Result<AgentDefinition, Refusal>> {
  const found = await findAgent(definitions, name);
  const problem = found.ok ? definitions.broken({ agent: name, workflow: null }) : undefined;
  return problem === undefined ? found : refuseBroken("agent", name, problem);
}
