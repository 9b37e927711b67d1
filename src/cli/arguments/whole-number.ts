import { UsageError } from "./usage-error.ts";

/** `what` names the place: "--limit", "NUMBER". What was not given stays so. */
export function wholeNumber(what: string, given: string): number;
export function wholeNumber(what: string, given: string | undefined): number | undefined;
export function wholeNumber(what: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isNaN(number)) throw new UsageError(`${what} takes a whole number, not "${given}".`);
  return number;
}
