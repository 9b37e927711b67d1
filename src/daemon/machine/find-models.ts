import { EXAMPLE_ENGINES } from "../../domain/agent/engines.ts";
import type { TeamEngine } from "../../files/project/team-templates.ts";
import { listEngines, type EngineStatus, type ListEnginesParts } from "../list-engines.ts";
import { listProviders, type ProviderStatus } from "../list-providers.ts";
import { findLocalEndpoints, type LocalEndpoint } from "../providers/local-endpoints.ts";

/** What this machine has for agents to run on. No model is asked, and nothing outside this machine. */
export interface FoundModels {
  readonly engines: readonly EngineStatus[];
  readonly providers: readonly ProviderStatus[];
  readonly endpoints: readonly LocalEndpoint[];
}

export async function findModels(parts: ListEnginesParts): Promise<FoundModels> {
  const [engines, providers, endpoints] = await Promise.all([
    listEngines(parts),
    listProviders(parts.env, parts.dir),
    findLocalEndpoints(parts.env, parts.clock),
  ]);
  return { engines, providers, endpoints };
}

/**
 * Returns what a new team can run on, the preferred first: a program with a login, a key of a provider, a model on this
 * machine, and the scripted engine, which is always there.
 */
export function usableEngines({ engines, endpoints }: FoundModels): readonly TeamEngine[] {
  const usable = EXAMPLE_ENGINES.filter((name) =>
    engines.some((each) => each.name === name && each.found && each.next === null),
  );
  const local = endpoints.flatMap(({ baseUrl, models: [model] }) =>
    model === undefined ? [] : [{ engine: "sdk", model, baseUrl } as const],
  );
  const [scripted, others] = [usable.filter((name) => name === "mock"), usable.filter((name) => name !== "mock")];
  return [...others.map((engine) => ({ engine })), ...local, ...scripted.map((engine) => ({ engine }))];
}
