import { UsageError } from "./usage-error.ts";

/** Returns the value as a number. Throws UsageError when it is none. `what` names the argument: "--limit", "NUMBER". */
export function wholeNumber(what: string, value: string): number;
export function wholeNumber(what: string, value: string | undefined): number | undefined;
export function wholeNumber(what: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isNaN(number)) throw new UsageError(`${what} takes a whole number, not "${value}".`);
  return number;
}
