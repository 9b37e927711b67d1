import { builtInStatus, type EngineModule } from "../shared/engine-module.ts";
import { createMockEngine } from "./mock-engine.ts";

export const engine: EngineModule = {
  maxSessions: Number.POSITIVE_INFINITY,
  create: createMockEngine,
  probe: async () => builtInStatus({ name: "mock", login: "yes", next: null }),
};
