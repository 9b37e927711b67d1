import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { AgentDefinition } from "./definition.ts";
import { DEFAULT_ENGINE, engineKind } from "./engines.ts";
import { AUTO_MODEL, parseModel } from "./model.ts";
import { findProvider, PROVIDERS, type ProviderRow } from "./providers.ts";

/** A model, by the name its provider has for it. */
export interface NamedModel {
  readonly provider: ProviderRow;
  readonly model: string;
}

/**
 * Returns the model that an agent of the sdk engine names; null for `model: auto`, which is that of the first provider
 * with a key. Needs no key and no network, so that a file can be checked.
 */
export function nameModel({
  model: written,
  provider,
}: Pick<AgentDefinition, "model" | "provider">): Result<NamedModel | null, Refusal> {
  const text = (written ?? "").trim();
  if (provider !== undefined) {
    const row = findProvider(provider.name);
    if (row === undefined) return unknownProvider(provider.name);
    const named = text === "" || text === AUTO_MODEL ? defaultModel(row) : modelOf(row, text);
    if (named.ok && row.needsBaseUrl === true && !("baseUrl" in provider)) return missingAddress(row);
    return named;
  }
  if (text === AUTO_MODEL) return ok(null);
  const parsed = parseModel(text);
  if (!parsed.ok) return parsed;
  if (parsed.value.provider === undefined) {
    return refuse("invalid", `The model "${text}" names no provider.`, {
      hint: `Write provider/model, for example anthropic/${text}, or set "provider".`,
    });
  }
  const row = findProvider(parsed.value.provider);
  if (row === undefined) return unknownProvider(parsed.value.provider);
  if (row.needsBaseUrl === true) return missingAddress(row);
  return parsed.value.model === AUTO_MODEL ? defaultModel(row) : ok({ provider: row, model: parsed.value.model });
}

type EngineChoice = Pick<AgentDefinition, "model" | "fallbackModels" | "backend" | "provider">;

/** The same for an agent of any engine: programs have names of their own for models, and are asked when they run. */
export function checkModel(agent: EngineChoice): Result<unknown, Refusal> {
  if (engineKind(agent.backend ?? DEFAULT_ENGINE) !== "api") return ok(undefined);
  const refused = (agent.fallbackModels ?? [])
    .map((model) => nameModel(withModel(agent, model)))
    .find(({ ok: fine }) => !fine);
  return refused ?? nameModel(agent);
}

/**
 * Returns the agent with another of its models. The address and key of `provider` belong to its models; a model that
 * names another provider has its own.
 */
export function withModel<T extends EngineChoice>(agent: T, model: string): T {
  const { provider, fallbackModels: _, ...others } = agent;
  const keepsProvider = provider !== undefined && (model === agent.model || !namesOtherProvider(model, provider.name));
  return { ...others, model, ...(keepsProvider ? { provider } : {}) } as T;
}

/**
 * Returns the settings with the default model and provider filled in. These belong to the default engine: an agent with
 * another engine gets neither. An agent whose model names another provider, as "openai/gpt-5" does, keeps it.
 */
export function withDefaultModel<T extends EngineChoice>(settings: T, defaults: EngineChoice): T {
  const { backend, model, provider } = settings;
  if (backend !== undefined && backend !== (defaults.backend ?? DEFAULT_ENGINE)) return settings;
  const otherProvider = model !== undefined && namesOtherProvider(model, defaults.provider?.name);
  return {
    ...settings,
    ...(model === undefined && defaults.model !== undefined ? { model: defaults.model } : {}),
    ...(model === undefined && defaults.fallbackModels !== undefined
      ? { fallbackModels: defaults.fallbackModels }
      : {}),
    ...(provider === undefined && defaults.provider !== undefined && !otherProvider
      ? { provider: defaults.provider }
      : {}),
  };
}

/** Returns whether the model names a provider other than this one. */
export function namesOtherProvider(model: string, provider: string | undefined): boolean {
  const parsed = parseModel(model);
  const prefix = parsed.ok ? parsed.value.provider : undefined;
  return prefix !== undefined && prefix !== provider && findProvider(prefix) !== undefined;
}

export function defaultModel(row: ProviderRow): Result<NamedModel, Refusal> {
  if (row.defaultModel !== undefined) return ok({ provider: row, model: row.defaultModel });
  return refuse("invalid", `The provider ${row.name} has no model of its own choice.`, { hint: `Set "model".` });
}

/** With a provider named, `model` may have the provider in front or not. */
function modelOf(row: ProviderRow, text: string): Result<NamedModel, Refusal> {
  const parsed = parseModel(text);
  if (!parsed.ok) return parsed;
  const { provider: prefix, model } = parsed.value;
  if (prefix === row.name) return ok({ provider: row, model });
  if (prefix !== undefined && row.modelsHaveSlashes !== true && findProvider(prefix) !== undefined) {
    return refuse("invalid", `"provider" says ${row.name} and the model "${text}" says ${prefix}.`, {
      hint: `Leave "provider" out, or name a model of ${row.name}.`,
    });
  }
  return ok({ provider: row, model: text });
}

function missingAddress({ name }: ProviderRow): Result<never, Refusal> {
  return refuse("invalid", `The provider ${name} has no address.`, {
    hint: `Write provider: {name: ${name}, base_url: https://...}.`,
  });
}

function unknownProvider(name: string): Result<never, Refusal> {
  const names = PROVIDERS.map((row) => row.name);
  return refuse("invalid", `There is no provider "${name}".`, {
    hint: `${hintForUnknown(name, names, "providers")} Any other that speaks chat completions: provider: {name: openai-compatible, base_url: https://...}.`,
  });
}
