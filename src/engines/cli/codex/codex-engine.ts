import type { Engine } from "../../../ports/engine.ts";
import { createCliEngine, type CliEngineOptions } from "../cli-engine.ts";
import { codexDialect } from "./codex-dialect.ts";

/** Agents on Codex, with the person's own configuration and login and the daemon's tools. */
export function createCodexEngine(options: CliEngineOptions): Engine {
  return createCliEngine(codexDialect, options);
}
