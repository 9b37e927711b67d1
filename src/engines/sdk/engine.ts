import { builtInStatus, type EngineModule } from "../shared/engine-module.ts";
import { listProviders } from "./list-providers.ts";
import { createSdkEngine } from "./sdk-engine.ts";

export const engine: EngineModule = {
  // Its own pool limits them by memory.
  maxSessions: Number.POSITIVE_INFINITY,
  create: createSdkEngine,
  probe: async ({ env, packages }) => {
    const ready = listProviders(env, packages).some((provider) => provider.ready && !provider.needsBaseUrl);
    const next = ready ? null : "Keep the key of a provider with: agent-worker login PROVIDER";
    return builtInStatus({ name: "sdk", login: ready ? "yes" : "no", next });
  },
};
