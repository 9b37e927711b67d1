import { createRequire } from "node:module";
import type { EmbeddingModel, LanguageModel } from "ai";
import type { ModelTarget } from "../protocol.ts";
import { WorkerFailure } from "./failure-report.ts";
import { observedFetch } from "./observed-fetch.ts";

type Model = Exclude<LanguageModel, string>;

const MODELS = new Map<string, Model>();
const MOST_MODELS = 64;

/**
 * Imports the provider's package and creates the model. The environment of a worker has no key and no address. Sessions with
 * the same model, key and address share it, because a provider makes the schemas of its answers anew for each model.
 */
export function loadModel(target: ModelTarget): Model {
  const key = JSON.stringify(target);
  const known = MODELS.get(key);
  if (known !== undefined) return known;
  const model = createProvider(target)(target.model) as Model;
  const [oldest] = MODELS.keys();
  if (oldest !== undefined && MODELS.size >= MOST_MODELS) MODELS.delete(oldest);
  MODELS.set(key, model);
  return model;
}

/** The same for a model that makes vectors of texts. Throws when the provider has none. */
export function loadEmbeddingModel(target: ModelTarget): EmbeddingModel {
  const provider = createProvider(target);
  const make: unknown = Reflect.get(provider, "embeddingModel");
  if (typeof make !== "function") {
    throw new WorkerFailure({ permanent: true, message: `The provider ${target.provider} makes no embeddings.` });
  }
  return Reflect.apply(make, provider, [target.model]) as EmbeddingModel;
}

function createProvider(target: ModelTarget): (model: string) => unknown {
  const module = importProvider(target.module);
  const create = module[target.factory];
  if (typeof create !== "function") {
    throw new WorkerFailure({
      permanent: true,
      message: `${target.module} has no ${target.factory}. Install its newest version: agent-worker providers add ${target.provider}`,
    });
  }
  const settings = {
    fetch: observedFetch,
    ...(target.apiKey === null ? {} : { apiKey: target.apiKey }),
    ...(target.baseUrl === null ? {} : { baseURL: target.baseUrl }),
    ...(target.provider === "openai-compatible" ? { name: target.provider, includeUsage: true } : {}),
  };
  const provider: unknown = create(settings);
  if (typeof provider !== "function") throw new Error(`${target.factory} of ${target.package} made no provider`);
  return provider as (model: string) => unknown;
}

/** Provider packages are required and not imported, because neither types nor a bundle may depend on optional packages. */
const load = createRequire(import.meta.url);

/** The daemon has found the module; it may be gone since. */
export function importProvider(module: string): Readonly<Record<string, unknown>> {
  try {
    return load(module) as Record<string, unknown>;
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND";
    if (!isGone) throw error;
    const message = `${module} cannot be loaded, because a part of it is missing. Install it again.`;
    throw new WorkerFailure({ permanent: true, message });
  }
}
