import { EXIT, FAULT_ANSWERS, REFUSAL_ANSWERS } from "../../contract/service/errors.ts";
import { closest } from "../../kernel/closest.ts";
import { Fault } from "../../kernel/fault.ts";
import { Refused } from "./refused.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "../arguments/usage-error.ts";

/** What went wrong, as every face tells it. */
interface Trouble {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Tells a person on standard error, or with `json` a program on standard output, in one shape. */
function reportTrouble(terminal: Terminal, { code, message, hint, details }: Trouble, json: boolean): void {
  if (json) terminal.print(`${JSON.stringify({ error: { code, message, hint, details } })}\n`);
  else terminal.note(`Error: ${message}\n${hint === undefined ? "" : `${hint}\n`}`);
}

/** Turns whatever ended a command into words and an exit code. `usage` is the line that wrong usage is answered with. */
export function reportFailure(terminal: Terminal, error: unknown, usage: string, json: boolean): number {
  if (error instanceof UsageError) {
    const likely = error.meant === undefined ? undefined : closest(error.meant.given, error.meant.among);
    const advice = likely === undefined ? error.hint : `Did you mean ${likely}?`;
    const hint = [advice, `Usage: ${usage}`].filter((line) => line !== undefined).join("\n");
    reportTrouble(terminal, { code: "invalid", message: error.message, hint }, json);
    return EXIT.usage;
  }
  if (error instanceof Refused) {
    reportTrouble(terminal, error.refusal, json);
    return REFUSAL_ANSWERS[error.refusal.code].exit;
  }
  if (error instanceof Fault) {
    reportTrouble(terminal, error, json);
    return FAULT_ANSWERS[error.code].exit;
  }
  const message = `something went wrong inside agent-worker: ${error instanceof Error ? error.message : String(error)}`;
  const debugging = terminal.env["AGENT_WORKER_DEBUG"] !== undefined;
  if (debugging && error instanceof Error) terminal.note(`${error.stack}\n`);
  const hint = debugging ? undefined : "Run it again with AGENT_WORKER_DEBUG=1 to see where, and please report it.";
  reportTrouble(terminal, { code: "bug", message, hint }, json);
  return EXIT.failed;
}
