import type { MemorySettings, RuntimeSettings } from "../../../domain/agent/definition.ts";
import { withDefaultModel } from "../../../domain/agent/named-model.ts";
import type { ProjectDefaults } from "../../../ports/definitions.ts";

/**
 * Returns an agent's settings with the project's defaults filled in. A key of the agent replaces the default, except
 * `env` and `budget`, which are merged. The hops and turns of the default budget limit chains of messages, not agents.
 */
export function applyDefaults<T extends RuntimeSettings & { readonly memory?: MemorySettings }>(
  settings: T,
  defaults: ProjectDefaults,
): T {
  const { model: _model, fallbackModels: _fallbacks, provider: _provider, env, budget, ...others } = defaults;
  const { hops: _hops, turns: _turns, ...agentBudget } = budget ?? {};
  return {
    ...others,
    ...withDefaultModel(settings, defaults),
    ...(env === undefined ? {} : { env: { ...env, ...settings.env } }),
    ...(Object.keys(agentBudget).length === 0 ? {} : { budget: { ...agentBudget, ...settings.budget } }),
  };
}
