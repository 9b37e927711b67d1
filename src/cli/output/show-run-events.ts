import type { RunEvent } from "../../contract/service/work-request.ts";
import { paintFor } from "./paint.ts";
import { formatSpeech, messageText } from "./speech.ts";
import type { StreamedWords } from "./streamed-words.ts";
import type { Terminal } from "./terminal.ts";
import { shortened } from "./visible-text.ts";
import { waitingText } from "./waiting-text.ts";

const SHORTEST_NAME_COLUMN = 8;
const SHORT = 100;
const DIM_KINDS: ReadonlySet<string> = new Set(["notice", "grant", "revoke"]);

/**
 * Returns a function that prints the events of a work request: messages and tool calls, or one JSON object per line. Of
 * setup, only the commands are shown, because the kickoff contains their output. `verbose` adds steps, whole arguments
 * and results of tools. With `words`, what agents say is shown while they say it.
 */
export function showRunEvents(
  terminal: Terminal,
  { json, verbose, words }: { readonly json: boolean; readonly verbose: boolean; readonly words?: StreamedWords },
): (event: RunEvent) => void {
  if (json) return (event) => terminal.print(`${JSON.stringify(event)}\n`);
  const paint = paintFor(terminal);
  const { columns } = terminal;
  /** Streamed text of each agent that is not a message yet. */
  const streamed = new Map<string, string>();
  let names: readonly string[] = [];
  let nameWidth = SHORTEST_NAME_COLUMN;
  const print = (from: string, text: string, style: (text: string) => string = (same) => same): void => {
    words?.pause();
    terminal.print(formatSpeech({ paint, nameWidth, columns }, { from, text, mentions: names, style }));
  };
  const printDim = (from: string, text: string): void => print(from, text, paint.dim);
  const brief = (text: string): string => (verbose ? text : shortened(text, SHORT));
  /** Prints the text that an agent streamed before a tool call or a step. */
  const printStreamed = (agent: string): void => {
    words?.end(agent);
    const text = (streamed.get(agent) ?? "").trim();
    streamed.delete(agent);
    if (text !== "") printDim(agent, brief(text));
  };

  return (event) => {
    switch (event.type) {
      case "started":
        names = event.participants;
        nameWidth = Math.max(SHORTEST_NAME_COLUMN, ...names.map(({ length }) => length));
        for (const warning of event.warnings ?? []) terminal.note(`${warning}\n`);
        break;
      case "message": {
        // The streamed text has become this message.
        if (words?.end(event.from, event.content) === true) break;
        if (streamed.get(event.from)?.trim() === event.content.trim()) streamed.delete(event.from);
        if (DIM_KINDS.has(event.kind)) printDim(event.from, messageText(terminal, event));
        else print(event.from, messageText(terminal, event));
        break;
      }
      case "chunk":
        if (words !== undefined) words.add({ paint, nameWidth, columns }, event.agent, event.text);
        else streamed.set(event.agent, `${streamed.get(event.agent) ?? ""}${event.text}`);
        break;
      case "tool_call":
        printStreamed(event.agent);
        printDim(event.agent, `${event.tool} ${brief(JSON.stringify(event.args ?? {}))}`);
        break;
      case "tool_result":
        if (event.isError) printDim(event.agent, `${event.tool} was refused: ${brief(event.content)}`);
        else if (verbose) printDim(event.agent, `${event.tool}: ${event.content}`);
        break;
      case "step":
        printStreamed(event.agent);
        if (verbose) printDim(event.agent, `step ${event.number}`);
        break;
      case "setup":
        if (verbose || event.text.startsWith("$ ")) printDim("setup", event.text);
        break;
      case "waiting":
        words?.pause();
        terminal.note(waitingText(event));
        break;
      case "votes_awaited":
        for (const awaited of event.for) terminal.note(`Waiting for ${awaited}.\n`);
        break;
      case "error":
      case "done":
        break;
    }
  };
}
