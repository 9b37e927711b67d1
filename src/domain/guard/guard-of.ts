import type { AgentDefinition } from "../agent/definition.ts";
import type { GuardSettings } from "../agent/guard-settings.ts";
import { namesOtherProvider } from "../agent/named-model.ts";

/** Returns what the guard does for an agent, as it is defined or as a workflow uses it. */
export function guardOf({ guard = {}, guardDefaults = {} }: Pick<AgentDefinition, "guard" | "guardDefaults">) {
  return mergeGuard(guardDefaults, guard);
}

/**
 * Returns the settings with those of a narrower place on top, key by key. The address and key of a provider belong to its
 * models: a model that names another provider does not get them.
 */
export function mergeGuard(wider: GuardSettings, narrower: GuardSettings): GuardSettings {
  const { provider, ...others } = wider;
  const isOther = narrower.model !== undefined && namesOtherProvider(narrower.model, provider?.name);
  const budget = { ...wider.budget, ...narrower.budget };
  return {
    ...others,
    ...(provider === undefined || isOther ? {} : { provider }),
    ...narrower,
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
  };
}
