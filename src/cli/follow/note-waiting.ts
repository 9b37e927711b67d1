import type { RunEvent } from "../../contract/service/work-request.ts";
import type { Terminal } from "../output/terminal.ts";
import { waitingText } from "../output/waiting-text.ts";

/**
 * Returns a function that says on standard error when a request has to wait, whom its kickoff names in vain, and what
 * the receipt of its message warns of; with `json`, nothing.
 */
export function noteWaiting(terminal: Terminal, json: boolean): (event: RunEvent) => void {
  return (event) => {
    if (event.type === "started" && !json) {
      for (const each of event.warnings ?? []) terminal.note(`${each}\n`);
      for (const each of event.receipt?.warnings ?? []) terminal.note(`Note: ${each}\n`);
    }
    if (event.type === "waiting" && !json) terminal.note(waitingText(event));
  };
}
