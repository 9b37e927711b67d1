import { REFUSAL_ANSWERS } from "../contract/errors.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Terminal } from "./command.ts";

/** What went wrong, as every face tells it. */
interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Tells a person on standard error, or with `json` a program on standard output, in one shape. */
export function reportTrouble(terminal: Terminal, { code, message, hint, details }: Trouble, json: boolean): void {
  if (json) terminal.out.write(`${JSON.stringify({ error: { code, message, hint, details } })}\n`);
  else terminal.err.write(`Error: ${message}\n${hint === undefined ? "" : `${hint}\n`}`);
}

/** Answers the exit code. */
export function reportRefusal(terminal: Terminal, refusal: Refusal, json: boolean): number {
  reportTrouble(terminal, refusal, json);
  return REFUSAL_ANSWERS[refusal.code].exit;
}
