import { engineKind, type EngineName } from "../domain/agent/engines.ts";
import type { EngineModule } from "./shared/engine-module.ts";

/**
 * Imports the folder of an engine: `cli/<name>/` for a program, else `<name>/`. No other file lists the folders, so that
 * a new engine is one row in `domain/agent/engines.ts`. Bundles get literal imports (`bin/quick/bundle-commands.mts`).
 */
export async function loadEngine(name: EngineName): Promise<EngineModule> {
  const imported: Promise<{ readonly engine: EngineModule }> =
    engineKind(name) === "program" ? import(`./cli/${name}/engine.ts`) : import(`./${name}/engine.ts`);
  return (await imported).engine;
}
