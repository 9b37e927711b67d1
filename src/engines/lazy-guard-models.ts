import type { SdkEngineOptions } from "./sdk/sdk-engine.ts";
import { loadOnce } from "../kernel/load-once.ts";
import type { GuardModels, ModelFailure } from "../ports/guard-models.ts";

/** The models of the guard. Their code is loaded, and their process started, when the guard first asks one. */
export function lazyGuardModels(options: SdkEngineOptions): GuardModels & AsyncDisposable {
  const loading = loadOnce(async () => (await import("./sdk/guard-models.ts")).createGuardModels(options), options);
  const load = async (): Promise<GuardModels | ModelFailure> => {
    try {
      return await loading.get();
    } catch (error) {
      options.log.error("the models of the guard could not be loaded", { error });
      return { ok: false, reason: "The part that asks models could not be loaded. See agent-worker daemon logs." };
    }
  };
  return {
    complete: async (request) => {
      const models = await load();
      return "complete" in models ? models.complete(request) : models;
    },
    embed: async (request) => {
      const models = await load();
      return "embed" in models ? models.embed(request) : models;
    },
    async [Symbol.asyncDispose]() {
      await (await loading.loaded())?.[Symbol.asyncDispose]();
    },
  };
}
