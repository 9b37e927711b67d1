import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Definitions } from "../../ports/definitions.ts";

/** An agent of the project by name. A file somebody has just written is found too. Reads files: not in a transaction. */
export async function findAgent(definitions: Definitions, name: string): Promise<Result<AgentDefinition, Refusal>> {
  const known = definitions.agent(name);
  if (known !== undefined) return ok(known);
  await definitions.refresh();
  const found = definitions.agent(name);
  if (found !== undefined) return ok(found);
  const names = definitions.agents().map((agent) => agent.name);
  return refuse("not_found", `There is no agent called "${name}".`, {
    hint: `${hintForUnknown(name, names, "agents")} Create it with: agent-worker agent create ${name}`,
    details: { kind: "agent", name },
  });
}
