import { COMMANDLESS_ENGINES } from "../../daemon/list-engines.ts";
import { oneOf } from "./one-of.ts";

/** "sdk, claude or mock": what `--backend` can be, for the help. */
export const ENGINE_CHOICES = COMMANDLESS_ENGINES.join(", ").replace(/, (?!.*, )/, " or ");

/** The engine a person means with `--backend`. */
export function engineName(given: string | undefined): (typeof COMMANDLESS_ENGINES)[number] | undefined {
  return oneOf("--backend", given, COMMANDLESS_ENGINES);
}
