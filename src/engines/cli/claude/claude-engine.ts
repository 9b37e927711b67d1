import type { Engine } from "../../../ports/engine.ts";
import { createCliEngine, type CliEngineOptions } from "../cli-engine.ts";
import { claudeDialect } from "./claude-dialect.ts";

/** Agents on Claude Code, with the person's own login and the daemon's tools. */
export function createClaudeEngine(options: CliEngineOptions): Engine {
  return createCliEngine(claudeDialect, options);
}
