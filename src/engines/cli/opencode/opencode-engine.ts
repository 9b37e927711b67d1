import type { Engine } from "../../../ports/engine.ts";
import { createCliEngine, type CliEngineOptions } from "../cli-engine.ts";
import { opencodeDialect } from "./opencode-dialect.ts";

export function createOpencodeEngine(options: CliEngineOptions): Engine {
  return createCliEngine(opencodeDialect, options);
}
