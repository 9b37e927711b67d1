import { UsageError } from "./usage-error.ts";

/** The one of the known words that was given, if one was. `what` names the place: "--lane", "ACTION". */
export function oneOf<const Word extends string>(what: string, given: string, known: readonly Word[]): Word;
export function oneOf<const Word extends string>(
  what: string,
  given: string | undefined,
  known: readonly Word[],
): Word | undefined;
export function oneOf(what: string, given: string | undefined, known: readonly string[]): string | undefined {
  if (given === undefined || known.includes(given)) return given;
  const message = `${what} cannot be "${given}"; it is one of ${known.join(", ")}.`;
  throw new UsageError(message, undefined, { given, among: known });
}
