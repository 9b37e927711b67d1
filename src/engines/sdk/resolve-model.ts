import type { AgentDefinition, ProviderChoice } from "../../domain/agent/definition.ts";
import { defaultModel, nameModel } from "../../domain/agent/named-model.ts";
import { addCommand, PROVIDERS, type ProviderRow } from "../../domain/agent/providers.ts";
import { definedVariables } from "../../domain/agent/variable-references.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { Environment } from "../shared/environment.ts";
import type { ModelTarget } from "./protocol.ts";
import { findProviderPackage, type PackagePlaces } from "./provider-packages.ts";

/** A model whose package was not looked for yet. */
export type UnlocatedTarget = Omit<ModelTarget, "module">;

/** Returns the model with the module of its package, which is looked for now: it may have been installed just before. */
export function withModule(model: UnlocatedTarget, places: PackagePlaces): Result<ModelTarget, Refusal> {
  const found = findProviderPackage(model.package, places);
  if (found !== undefined) return ok({ ...model, module: found.path });
  const message = `The provider ${model.provider} needs the package ${model.package}, which is not installed.`;
  return refuse("invalid", message, { hint: `Install it with: ${addCommand(model.provider)}` });
}

/**
 * Returns the model, provider, address and key an agent means. A `base_url` comes from a file of the project, which the
 * person may not have written: it never gets the person's usual key of that provider, only the variable that `api_key`
 * names: one of the daemon, or of the project's `.env` (`nameable`). An address in the daemon's own environment is the person's choice and gets the usual key.
 */
export function resolveModel(
  agent: Pick<AgentDefinition, "model" | "provider" | "env">,
  env: Environment,
  nameable: Environment = env,
): Result<UnlocatedTarget, Refusal> {
  const agentEnv = definedVariables(agent.env, nameable);
  if (!agentEnv.ok) return agentEnv;
  const keys: Environment = { ...env, ...agentEnv.value };

  const named = nameModel(agent);
  if (!named.ok) return named;
  const chosen = named.value === null ? firstWithKey(keys) : ok(named.value);
  if (!chosen.ok) return chosen;
  const { provider: row, model } = chosen.value;
  const choice = agent.provider === undefined ? {} : addressOf(agent.provider);

  const key = findKey(row, choice, keys, nameable);
  if (!key.ok) return key;
  const personal = row.baseUrlVariable === undefined ? undefined : env[row.baseUrlVariable];
  return ok({
    provider: row.name,
    model,
    package: row.package,
    factory: row.factory,
    apiKey: key.value,
    baseUrl: choice.baseUrl ?? withVersion(row, personal) ?? null,
  });
}

interface Address {
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

function addressOf(choice: ProviderChoice): Address {
  return "baseUrl" in choice || "apiKeyEnv" in choice ? choice : {};
}

function firstWithKey(keys: Environment) {
  const row = PROVIDERS.find(({ keyVariables }) => keyVariables.some((name) => (keys[name] ?? "") !== ""));
  if (row !== undefined) return defaultModel(row);
  const names = PROVIDERS.flatMap(({ keyVariables }) => keyVariables.slice(0, 1));
  return refuse("invalid", `"model: auto" found no key of any provider.`, {
    hint: `Keep one with: agent-worker login PROVIDER, or set one of ${names.join(", ")} in the environment of the daemon.`,
  });
}

function findKey(
  row: ProviderRow,
  choice: Address,
  keys: Environment,
  nameable: Environment,
): Result<string | null, Refusal> {
  if (choice.apiKeyEnv !== undefined) {
    const key = keys[choice.apiKeyEnv] ?? nameable[choice.apiKeyEnv] ?? "";
    return key === "" ? missingKey(row, choice.apiKeyEnv) : ok(key);
  }
  if (row.needsBaseUrl === true) return ok(null);
  const [usual = "the key"] = row.keyVariables;
  if (choice.baseUrl !== undefined) {
    return refuse("forbidden", `The key of ${row.name} is not sent to ${choice.baseUrl} unless the agent says so.`, {
      hint: `Name the variable whose key goes there: provider: {api_key: $${usual}}.`,
    });
  }
  const key = row.keyVariables.map((name) => keys[name] ?? "").find((value) => value !== "");
  return key === undefined ? missingKey(row, usual) : ok(key);
}

function missingKey(row: ProviderRow, variable: string) {
  return refuse("invalid", `The provider ${row.name} needs a key, and ${variable} is not set.`, {
    hint: `Keep it with: ${loginCommand(row, variable)}, or set ${variable} in the environment of the daemon.`,
  });
}

/** A key in a variable of the agent's own choice is kept under the name of the variable. */
function loginCommand(row: ProviderRow, variable: string): string {
  return `agent-worker login ${row.keyVariables.includes(variable) ? row.name : variable}`;
}

/** Anthropic's variable holds the address without the version that the package needs. */
function withVersion(row: ProviderRow, url: string | undefined): string | undefined {
  if (url === undefined || url === "") return undefined;
  if (row.name !== "anthropic" || /\/v\d+\/?$/.test(url)) return url;
  return `${url.replace(/\/+$/, "")}/v1`;
}
