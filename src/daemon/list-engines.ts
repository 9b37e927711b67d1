import { OFFERED_ENGINES } from "../domain/agent/engines.ts";
import { loadEngine } from "../engines/load-engine.ts";
import type { EngineParts, EngineStatus } from "../engines/shared/engine-module.ts";

/** For the command line, which must not import engines. */
export type { EngineStatus } from "../engines/shared/engine-module.ts";

/** Returns the state of every engine on this machine. Needs no daemon and no project. */
export function listEngines(machine: Pick<EngineParts, "env" | "clock">): Promise<EngineStatus[]> {
  return Promise.all(OFFERED_ENGINES.map(async (name) => (await loadEngine(name)).probe(machine)));
}
