import type { MemorySettings, RuntimeSettings } from "../../../domain/agent/definition.ts";
import type { ProjectDefaults } from "../../../ports/definitions.ts";

/**
 * Puts the project's defaults under an agent's own settings. A key the agent has counts as a whole, except `env` and
 * `budget`, which are tables and merge. The default model and provider belong to the default engine: an agent that
 * names another engine does not get them, and one that names its own model does not get the provider. The hops and turns
 * of the default budget are limits of chains of messages, not of agents.
 */
export function applyDefaults<T extends RuntimeSettings & { readonly memory?: MemorySettings }>(
  settings: T,
  defaults: ProjectDefaults,
): T {
  const { model, provider, env, budget, ...others } = defaults;
  const { hops: _hops, turns: _turns, ...ofAgent } = budget ?? {};
  const sameEngine = settings.backend === undefined || settings.backend === (defaults.backend ?? "sdk");
  return {
    ...others,
    ...(sameEngine && model !== undefined ? { model } : {}),
    ...(sameEngine && settings.model === undefined && provider !== undefined ? { provider } : {}),
    ...settings,
    ...(env === undefined ? {} : { env: { ...env, ...settings.env } }),
    ...(Object.keys(ofAgent).length === 0 ? {} : { budget: { ...ofAgent, ...settings.budget } }),
  };
}
