import { homeFolder } from "../client/home.ts";
import { withoutProjectPrograms } from "../client/search-path.ts";
import { engineKind, OFFERED_ENGINES } from "../domain/agent/engines.ts";
import { loadEngine } from "../engines/load-engine.ts";
import type { EngineParts, EngineStatus } from "../engines/shared/engine-module.ts";

import { withStoredKeys } from "./list-providers.ts";
import { packagePlaces } from "./providers/package-places.ts";

/** For the command line, which must not import engines. */
export type { EngineStatus } from "../engines/shared/engine-module.ts";

export interface ListEnginesParts extends Pick<EngineParts, "env" | "clock"> {
  /** The folder of the project. */
  readonly dir: string;
}

/** Returns the state of every engine on this machine. Needs no daemon, and runs no program that the project brings. */
export async function listEngines({ env, clock, dir }: ListEnginesParts): Promise<EngineStatus[]> {
  const searchPath = env["PATH"] === undefined ? {} : { PATH: withoutProjectPrograms(env["PATH"], dir) };
  const packages = packagePlaces({ home: homeFolder(env), env, projectDir: dir });
  const machine = { env: { ...env, ...searchPath }, clock, packages };
  // Stored keys are for model APIs. A program has a login of its own.
  const withKeys = { ...machine, env: await withStoredKeys(machine.env) };
  return Promise.all(
    OFFERED_ENGINES.map(async (name) =>
      (await loadEngine(name)).probe(engineKind(name) === "api" ? withKeys : machine),
    ),
  );
}
