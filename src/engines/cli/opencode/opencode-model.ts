import type { AgentDefinition } from "../../../domain/agent/definition.ts";
import { AUTO_MODEL, parseModel } from "../../../domain/agent/model.ts";
import { EngineFailure } from "../../../ports/engine.ts";

/** The model as OpenCode names it, `provider/model`; null leaves the choice to OpenCode. */
export function opencodeModel({ model, provider }: Pick<AgentDefinition, "model" | "provider">): string | null {
  const text = (model ?? "").trim();
  if (text === "" || text === AUTO_MODEL) return null;
  const parsed = parseModel(text);
  if (!parsed.ok) throw new EngineFailure("permanent", `${parsed.error.message} ${parsed.error.hint ?? ""}`.trim());
  const { provider: written, model: name } = parsed.value;
  // With a provider named, the model is its model, said with the provider in front or without.
  if (provider !== undefined) return `${provider.name}/${written === provider.name ? name : text}`;
  if (written !== undefined) return `${written}/${name}`;
  throw new EngineFailure(
    "permanent",
    `OpenCode needs the provider of the model "${text}". Write provider/model; "opencode models" lists them.`,
  );
}
