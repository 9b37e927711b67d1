import { cliEngineModule } from "../cli-engine.ts";
import { claudeDialect } from "./claude-dialect.ts";

export const engine = cliEngineModule(claudeDialect);
