import { cliEngineModule } from "../cli-engine.ts";
import { cursorDialect } from "./cursor-dialect.ts";

export const engine = cliEngineModule(cursorDialect);
