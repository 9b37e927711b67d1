import type { Engine } from "../../../ports/engine.ts";
import { createCliEngine, type CliEngineOptions } from "../cli-engine.ts";
import { cursorDialect } from "./cursor-dialect.ts";

export function createCursorEngine(options: CliEngineOptions): Engine {
  return createCliEngine(cursorDialect, options);
}
