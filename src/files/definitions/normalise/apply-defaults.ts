import type { MemorySettings, RuntimeSettings } from "../../../domain/agent/definition.ts";
import type { ProjectDefaults } from "../../../ports/definitions.ts";

/**
 * Returns an agent's settings with the project's defaults filled in. A key of the agent replaces the default, except
 * `env` and `budget`, which are merged. The default model and provider belong to the default engine: an agent with
 * another engine does not get them, and an agent with its own model does not get the provider. The hops and turns of the
 * default budget limit chains of messages, not agents.
 */
export function applyDefaults<T extends RuntimeSettings & { readonly memory?: MemorySettings }>(
  settings: T,
  defaults: ProjectDefaults,
): T {
  const { model, fallbackModels, provider, env, budget, ...others } = defaults;
  const { hops: _hops, turns: _turns, ...agentBudget } = budget ?? {};
  const sameEngine = settings.backend === undefined || settings.backend === (defaults.backend ?? "sdk");
  return {
    ...others,
    ...(sameEngine && model !== undefined ? { model } : {}),
    ...(sameEngine && settings.model === undefined && fallbackModels !== undefined ? { fallbackModels } : {}),
    ...(sameEngine && settings.model === undefined && provider !== undefined ? { provider } : {}),
    ...settings,
    ...(env === undefined ? {} : { env: { ...env, ...settings.env } }),
    ...(Object.keys(agentBudget).length === 0 ? {} : { budget: { ...agentBudget, ...settings.budget } }),
  };
}
