import type { AgentDefinition } from "../../domain/agent/definition.ts";
import { DEFAULT_ENGINE, engineKind } from "../../domain/agent/engines.ts";
import { nameModel, withModel } from "../../domain/agent/named-model.ts";
import { PROVIDERS } from "../../domain/agent/providers.ts";
import { embeddingOf } from "../../domain/guard/embedding-of.ts";
import { guardOf } from "../../domain/guard/guard-of.ts";
import { findProviderPackage, type PackagePlaces } from "../../engines/sdk/provider-packages.ts";
import type { EngineSettings } from "./engine-settings.ts";

/**
 * The package of a provider that only the project has is code of the project, and gets the person's key. So it is a power
 * of the agents that use it.
 */
export function createProjectPackages(projectDir: string, places: PackagePlaces): EngineSettings {
  return {
    powersOf: (definition) =>
      packagesOf(definition)
        .filter((name) => findProviderPackage(name, { ...places, project: projectDir })?.place === "project")
        .map((name) => `give its key to the package ${name} that is in the project`),
  };
}

/** Returns the packages of the providers that an agent and its guard use; with `auto`, all of them. */
function packagesOf(definition: AgentDefinition): readonly string[] {
  const { backend = DEFAULT_ENGINE, model, fallbackModels = [] } = definition;
  const isApi = engineKind(backend) === "api";
  const models =
    isApi && model !== undefined ? [model, ...fallbackModels].map((each) => withModel(definition, each)) : [];
  const guard = guardOf(definition);
  const embedding = embeddingOf(definition);
  const choices = [
    ...models,
    ...(guard.model === undefined ? [] : [{ model: guard.model, ...pick(guard.provider) }]),
    ...(embedding === undefined ? [] : [{ model: embedding.model, ...pick(embedding.provider) }]),
  ];
  const named = choices.map((choice) => nameModel(choice));
  const isOpen = named.some((each) => each.ok && each.value === null);
  const used = isOpen
    ? PROVIDERS
    : named.flatMap((each) => (each.ok && each.value !== null ? [each.value.provider] : []));
  return [...new Set(used.map((row) => row.package))];
}

function pick(provider: AgentDefinition["provider"]): Pick<AgentDefinition, "provider"> {
  return provider === undefined ? {} : { provider };
}
