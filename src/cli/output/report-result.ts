import { EXIT } from "../../contract/service/errors.ts";
import type { RequestResult } from "../../contract/service/work-request.ts";
import type { Terminal } from "./terminal.ts";

/** Says what could not be answered, and answers the exit code. */
export function reportResult(terminal: Terminal, { success, failed }: RequestResult, json: boolean): number {
  if (!json && failed.length > 0) {
    terminal.note(`Error: ${failed.length} could not be answered:\n`);
    for (const { id, agent, reason } of failed) terminal.note(`  ${id} for ${agent}: ${reason}\n`);
    terminal.note("Try again with: agent-worker dead retry ID\n");
  }
  return success ? EXIT.ok : EXIT.failed;
}
