import type { Refusal } from "../../kernel/refusal.ts";
import type { Result } from "../../kernel/result.ts";
import { EngineFailure } from "../../ports/engine.ts";

const MAX_LENGTH = 300;

/** Returns the text as one line that ends like a sentence, cut if it is long. */
export function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const cut = flat.length > MAX_LENGTH ? `${flat.slice(0, MAX_LENGTH)}...` : flat;
  return /[.!?]$/.test(cut) ? cut : `${cut}.`;
}

/** Returns the last line of a program's output that is not empty. */
export function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)?.trim() ?? "";
}

/** Returns the value. Throws a refusal as a permanent EngineFailure with its hint: the agent cannot run as it is defined. */
export function valueOrFailure<T>(result: Result<T, Refusal>): T {
  if (result.ok) return result.value;
  const { message, hint } = result.error;
  throw new EngineFailure("permanent", hint === undefined ? message : `${message} ${hint}`);
}
