import { builtInStatus, type EngineModule } from "../shared/engine-module.ts";
import { createAcpEngine } from "./acp-engine.ts";

export const engine: EngineModule = {
  maxSessions: 8,
  create: createAcpEngine,
  probe: async () => builtInStatus({ name: "acp", login: "unknown", next: "Name its command line in the agent." }),
};
