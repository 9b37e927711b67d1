import { cliEngineModule } from "../cli-engine.ts";
import { codexDialect } from "./codex-dialect.ts";

export const engine = cliEngineModule(codexDialect);
