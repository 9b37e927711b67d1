import type { LanguageModel } from "ai";
import type { ModelTarget } from "../protocol.ts";
import { WorkerFailure } from "./failure-report.ts";
import { importProvider } from "./import-provider.ts";

/** Imports the provider's package and makes the model. Key and address are always given: no variable is looked at. */
export function loadModel(target: ModelTarget, fetch: typeof globalThis.fetch): LanguageModel {
  const module = importProvider(target.package);
  if (module === undefined) {
    throw new WorkerFailure({
      permanent: true,
      message: `The provider ${target.provider} needs a package that is not installed: npm install ${target.package}`,
    });
  }
  const create = module[target.factory];
  if (typeof create !== "function") {
    throw new WorkerFailure({
      permanent: true,
      message: `${target.package} has no ${target.factory}. Install its newest version: npm install ${target.package}`,
    });
  }
  const settings = {
    fetch,
    ...(target.apiKey === null ? {} : { apiKey: target.apiKey }),
    ...(target.baseUrl === null ? {} : { baseURL: target.baseUrl }),
    ...(target.provider === "openai-compatible" ? { name: target.provider, includeUsage: true } : {}),
  };
  const provider: unknown = create(settings);
  if (typeof provider !== "function") throw new Error(`${target.factory} of ${target.package} made no provider`);
  return provider(target.model) as LanguageModel;
}
