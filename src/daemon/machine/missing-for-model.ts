import { engineKind, type EngineName } from "../../domain/agent/engines.ts";
import { nameModel } from "../../domain/agent/named-model.ts";
import { addCommand } from "../../domain/agent/providers.ts";
import { listProviders, type ProviderStatus } from "../list-providers.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a model cannot be asked without, and the command that gets it. */
export interface ModelNeed {
  /** A sentence for a person. */
  readonly what: string;
  readonly command: string;
}

/** Returns what is missing for a model of the model API; undefined when nothing is, or a program answers for itself. */
export async function missingForModel(
  { backend, model, baseUrl }: { readonly backend: EngineName; readonly model: string; readonly baseUrl?: string },
  env: Environment,
  dir: string,
): Promise<ModelNeed | undefined> {
  if (engineKind(backend) !== "api" || baseUrl !== undefined) return undefined;
  const providers = await listProviders(env, dir);
  const named = nameModel({ model });
  if (!named.ok) return undefined;
  // `auto` is the first provider with a key.
  if (named.value === null) {
    if (providers.some(({ ready, needsBaseUrl }) => ready && !needsBaseUrl)) return undefined;
    return { what: "No provider has a key yet.", command: "agent-worker login anthropic" };
  }
  const { name } = named.value.provider;
  const status = providers.find((each) => each.name === name);
  return status === undefined ? undefined : missingOf(status);
}

/** The first thing that a provider lacks. */
export function missingOf({ name, ready, installed }: ProviderStatus): ModelNeed | undefined {
  if (ready) return undefined;
  if (!installed) return { what: `The package of ${name} is not installed.`, command: addCommand(name) };
  return { what: `There is no key of ${name} yet.`, command: `agent-worker login ${name}` };
}
