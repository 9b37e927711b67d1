import { UsageError } from "./usage-error.ts";

/** Returns the value. Throws UsageError if it is none of the choices. `what` names the argument: "--lane", "ACTION". */
export function oneOf<const Word extends string>(what: string, value: string, choices: readonly Word[]): Word;
export function oneOf<const Word extends string>(
  what: string,
  value: string | undefined,
  choices: readonly Word[],
): Word | undefined;
export function oneOf(what: string, value: string | undefined, choices: readonly string[]): string | undefined {
  if (value === undefined || choices.includes(value)) return value;
  const message = `${what} cannot be "${value}"; it is one of ${choices.join(", ")}.`;
  throw new UsageError(message, undefined, { given: value, among: choices });
}
