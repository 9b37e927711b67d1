import { REFUSAL_ANSWERS } from "../contract/errors.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Terminal } from "./command.ts";

/** Tells a person, or with `json` a program, why something was refused. Answers the exit code. */
export function reportRefusal(terminal: Terminal, refusal: Refusal, json: boolean): number {
  if (json) terminal.out.write(`${JSON.stringify({ error: refusal })}\n`);
  else terminal.err.write(`Error: ${refusal.message}\n${refusal.hint === undefined ? "" : `${refusal.hint}\n`}`);
  return REFUSAL_ANSWERS[refusal.code].exit;
}
