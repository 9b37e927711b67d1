import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { AgentEntry } from "../workflow/definition.ts";
import type { AgentDefinition } from "./definition.ts";

/**
 * An agent as one workflow uses it. `name` is how the workspace knows it. `definition.name` is who it is: for a
 * reference that is the agent of the project, whose personal context comes along even under another name.
 */
export interface ResolvedAgent {
  readonly name: string;
  readonly definition: AgentDefinition;
  /** What this workflow adds to the prompt; the prompt itself stays the agent's own. */
  readonly promptAppend?: string;
  readonly isRef: boolean;
  readonly refName?: string;
}

/**
 * A reference keeps the agent's prompt and soul and replaces runtime settings key by key: a key that is given counts
 * as a whole, it is not merged with the agent's. `known` are the agents to suggest when the reference leads nowhere.
 */
export function resolveEntry(
  name: string,
  entry: AgentEntry,
  lookup: (ref: string) => AgentDefinition | undefined,
  known: readonly string[] = [],
): Result<ResolvedAgent, Refusal> {
  if (entry.kind === "inline") {
    const { kind: _, ...definition } = entry;
    return ok({ name, definition: { ...definition, name }, isRef: false });
  }
  const { kind: _, ref, promptAppend, ...overrides } = entry;
  const base = lookup(ref);
  if (base === undefined) {
    return refuse("not_found", `"${name}" refers to the agent "${ref}", which does not exist.`, {
      hint: `${hintForUnknown(ref, known, "agents")} Or create it: agent-worker agent create ${ref}`,
      details: { ref, known: [...known] },
    });
  }
  const definition = { ...base, ...overrides };
  const appended = promptAppend === undefined || promptAppend.trim() === "" ? {} : { promptAppend };
  return ok({ name, definition, ...appended, isRef: true, refName: ref });
}
