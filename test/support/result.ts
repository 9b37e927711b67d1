import type { Refusal } from "../../src/kernel/refusal.ts";
import type { Result } from "../../src/kernel/result.ts";

/** The value of a result that must not be refused. */
export function value<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${result.error.message} ${result.error.hint ?? ""}`);
}

/** The refusal of a result that must be one. */
export function refused(result: Result<unknown, Refusal>): Refusal {
  if (!result.ok) return result.error;
  throw new Error(`not refused: ${JSON.stringify(result.value)}`);
}
