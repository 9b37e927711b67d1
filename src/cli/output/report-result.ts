import { EXIT } from "../../contract/service/errors.ts";
import type { RequestOutcome } from "../../contract/service/work-request.ts";
import type { Terminal } from "./terminal.ts";

/** Says why a request was not answered and what to do next, and returns the exit code. */
export function reportResult(terminal: Terminal, end: RequestOutcome, json: boolean): number {
  const { outcome, success, failed, incomplete, hint } = end;
  if (!json && !success) {
    if (failed.length > 0) terminal.note(`Error: ${failed.length} could not be answered:\n`);
    for (const { id, agent, reason } of failed) terminal.note(`  ${id} for ${agent}: ${reason}\n`);
    for (const { agent, reason } of incomplete) terminal.note(`Error: ${agent} did not finish: ${reason}\n`);
    if (outcome === "parked")
      terminal.note("Error: not answered yet, and it has to wait for longer than the wait limit.\n");
    if (hint !== null) terminal.note(`${hint}\n`);
    const keys = keysOfTerminal(failed.map(({ reason }) => reason).join("\n"), terminal.env);
    if (keys.length > 0) {
      terminal.note(
        `${keys.join(", ")} is set in this terminal, and the daemon was started without it. To give it: agent-worker daemon restart\n`,
      );
    }
  }
  return success ? EXIT.ok : EXIT.failed;
}

/** Returns the variables of a key that the daemon misses and this terminal has. */
function keysOfTerminal(reasons: string, env: Terminal["env"]): string[] {
  if (!reasons.includes("environment of the daemon")) return [];
  const named = new Set(reasons.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g));
  return [...named].filter((name) => (env[name] ?? "") !== "");
}
