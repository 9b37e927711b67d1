import type { EngineName, RuntimeSettings } from "./definition.ts";

/** What runs an agent whose definition names no engine. */
export const DEFAULT_ENGINE: EngineName = "sdk";

/** Only the sdk engine has to be told which model to call; a command line has its own default, the mock has none. */
function needsModel(engine: EngineName): boolean {
  return engine === "sdk";
}

/** True when the engine cannot start for want of a model. "auto" is a model: the one the environment offers. */
export function lacksModel({ backend, model }: Pick<RuntimeSettings, "backend" | "model">): boolean {
  return needsModel(backend ?? DEFAULT_ENGINE) && (model ?? "").trim() === "";
}
