import { COMMANDLESS_ENGINES } from "../../../domain/agent/engines.ts";
import { oneOf } from "../../arguments/one-of.ts";
import type { OptionTable } from "../../arguments/option.ts";

/** The options of `new` and `agent create` that choose the engine. */
export const ENGINE_OPTIONS = {
  model: { short: "m", value: "MODEL", about: "provider/model, a short name the engine knows, or auto" },
  backend: { short: "b", value: "ENGINE", about: COMMANDLESS_ENGINES.join(", ").replace(/, (?!.*, )/, " or ") },
} as const satisfies OptionTable;

/** Returns the value of `--backend` as the name of an engine. */
export function engineName(backend: string | undefined): (typeof COMMANDLESS_ENGINES)[number] | undefined {
  return oneOf("--backend", backend, COMMANDLESS_ENGINES);
}
