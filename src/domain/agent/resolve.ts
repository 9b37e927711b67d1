import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { AgentEntry } from "../workflow/definition.ts";
import type { AgentDefinition } from "./definition.ts";
import { namesOtherProvider } from "./named-model.ts";

/**
 * An agent as one workflow uses it. `name` is its name in the workspace. `definition.name` is the agent's own name: a
 * reference uses the personal context of the project's agent, also under another name.
 */
export interface ResolvedAgent {
  readonly name: string;
  readonly definition: AgentDefinition;
  /** Text that the workflow appends to the agent's own prompt. */
  readonly promptAppend?: string;
  readonly isRef: boolean;
  readonly refName?: string;
}

/**
 * A reference keeps the agent's prompt and soul and overrides runtime settings key by key; a value is replaced as a
 * whole, not merged. `agentNames` are suggested when the referenced agent does not exist.
 */
export function resolveEntry(
  name: string,
  entry: AgentEntry,
  lookup: (ref: string) => AgentDefinition | undefined,
  agentNames: readonly string[] = [],
): Result<ResolvedAgent, Refusal> {
  if (entry.kind === "inline") {
    const { kind: _, ...definition } = entry;
    return ok({ name, definition: { ...definition, name }, isRef: false });
  }
  const { kind: _, ref, promptAppend, ...overrides } = entry;
  const base = lookup(ref);
  if (base === undefined) {
    return refuse("not_found", `"${name}" refers to the agent "${ref}", which does not exist.`, {
      hint: `${hintForUnknown(ref, agentNames, "agents")} Or create it: agent-worker agent create ${ref}`,
      details: { ref, known: [...agentNames] },
    });
  }
  // Another model does not bring the fallbacks of the agent's own.
  const { fallbackModels: _fallbacks, ...baseWithoutFallbacks } = withoutOtherProvider(base, overrides);
  const kept = overrides.model === undefined ? base : baseWithoutFallbacks;
  const definition = { ...kept, ...overrides };
  const appended = promptAppend === undefined || promptAppend.trim() === "" ? {} : { promptAppend };
  return ok({ name, definition, ...appended, isRef: true, refName: ref });
}

/** A workflow that chooses a model of another provider does not get the address of the agent's own. */
function withoutOtherProvider(base: AgentDefinition, { model }: Pick<AgentDefinition, "model">): AgentDefinition {
  if (model === undefined || !namesOtherProvider(model, base.provider?.name)) return base;
  const { provider: _, ...others } = base;
  return others;
}
