import { cliEngineModule } from "../cli-engine.ts";
import { opencodeDialect } from "./opencode-dialect.ts";

export const engine = cliEngineModule(opencodeDialect);
