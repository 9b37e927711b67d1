import { EXIT, FAULT_ANSWERS, REFUSAL_ANSWERS } from "../../contract/service/errors.ts";
import { closest } from "../../kernel/closest.ts";
import { Fault } from "../../kernel/fault.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { Refused } from "../refused.ts";
import type { Terminal } from "./terminal.ts";

/** A failure in the shape that HTTP and MCP use too. */
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** Prints to standard error, or with `json` to standard output. */
function printFailure(terminal: Terminal, { code, message, hint, details }: Failure, json: boolean): void {
  if (json) terminal.print(`${JSON.stringify({ error: { code, message, hint, details } })}\n`);
  else terminal.note(`Error: ${message}\n${hint === undefined ? "" : `${hint}\n`}`);
}

/** Prints the error that ended a command and returns the exit code. `usage` is printed with a UsageError. */
export function reportFailure(terminal: Terminal, error: unknown, usage: string, json: boolean): number {
  if (error instanceof UsageError) {
    const similar = error.meant === undefined ? undefined : closest(error.meant.given, error.meant.among);
    const advice = similar === undefined ? error.hint : `Did you mean ${similar}?`;
    const hint = [advice, `Usage: ${usage}`].filter((line) => line !== undefined).join("\n");
    printFailure(terminal, { code: "invalid", message: error.message, hint }, json);
    return EXIT.usage;
  }
  if (error instanceof Refused) {
    printFailure(terminal, error.refusal, json);
    return REFUSAL_ANSWERS[error.refusal.code].exit;
  }
  if (error instanceof Fault) {
    printFailure(terminal, error, json);
    return FAULT_ANSWERS[error.code].exit;
  }
  const message = `something went wrong inside agent-worker: ${error instanceof Error ? error.message : String(error)}`;
  const debugging = terminal.env["AGENT_WORKER_DEBUG"] !== undefined;
  if (debugging && error instanceof Error) terminal.note(`${error.stack}\n`);
  const hint = debugging ? undefined : "Run it again with AGENT_WORKER_DEBUG=1 to see where, and please report it.";
  printFailure(terminal, { code: "bug", message, hint }, json);
  return EXIT.failed;
}
