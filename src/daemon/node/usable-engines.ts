import { engineKind, ENGINE_NAMES, type EngineName } from "../../domain/agent/engines.ts";
import { listEngines, type ListEnginesParts } from "../list-engines.ts";

/** Returns the engines that agents can run on here. Of the command lines those that are installed. */
export async function listUsableEngines(parts: ListEnginesParts): Promise<readonly EngineName[]> {
  const found = await listEngines(parts);
  return ENGINE_NAMES.filter((name) => {
    if (engineKind(name) !== "program") return true;
    return found.find((each) => each.name === name)?.found !== false;
  });
}
