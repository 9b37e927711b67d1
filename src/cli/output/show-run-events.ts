import type { RunEvent } from "../../contract/service/work-request.ts";
import { callSummary } from "../calls/call-lines.ts";
import { formatSpace } from "./format-space.ts";
import { paintFor } from "./paint.ts";
import { formatSpeech, messageText } from "./speech.ts";
import type { StreamedWords } from "./streamed-words.ts";
import type { Terminal } from "./terminal.ts";
import { shortened } from "./visible-text.ts";
import { waitingText } from "./waiting-text.ts";

const SHORTEST_NAME_COLUMN = 8;
const SHORT = 100;
/** Who begins the work: their messages may be long, and the person knows them. */
const STARTERS: ReadonlySet<string> = new Set(["user", "system"]);
const [FIRST_LINES, LAST_LINES] = [8, 8];
const DIM_KINDS: ReadonlySet<string> = new Set(["notice", "grant", "revoke"]);

/**
 * Returns a function that prints the events of a work request: messages and tool calls, or one JSON object per line. Of
 * setup, only the commands are shown, because the kickoff contains their output. `verbose` adds steps, whole arguments
 * and results of tools. With `words`, what agents say is shown while they say it. With
 * `summaries`, a call is shown as a command or a file, not by its arguments.
 */
export function showRunEvents(
  terminal: Terminal,
  {
    json,
    verbose,
    words,
    summaries = words !== undefined && !verbose,
  }: {
    readonly json: boolean;
    readonly verbose: boolean;
    readonly words?: StreamedWords;
    readonly summaries?: boolean;
  },
): (event: RunEvent) => void {
  if (json) return (event) => terminal.print(`${JSON.stringify(event)}\n`);
  const paint = paintFor(terminal);
  const { columns } = terminal;
  /** Streamed text of each agent that is not a message yet. */
  const streamed = new Map<string, string>();
  let place = "";
  let names: readonly string[] = [];
  let nameWidth = SHORTEST_NAME_COLUMN;
  const print = (from: string, text: string, style: (text: string) => string = (same) => same): void => {
    words?.pause();
    terminal.print(formatSpeech({ paint, nameWidth, columns }, { from, text, mentions: names, style }));
  };
  const printDim = (from: string, text: string): void => print(from, text, paint.dim);
  /** For a person who watches; elsewhere nothing is left out. */
  const isTerminal = words !== undefined && !verbose;
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
        place = event.space;
        nameWidth = Math.max(SHORTEST_NAME_COLUMN, ...names.map(({ length }) => length));
        for (const warning of event.warnings ?? []) terminal.note(`${warning}\n`);
        for (const warning of event.receipt?.warnings ?? []) terminal.note(`Note: ${warning}\n`);
        break;
      case "message": {
        const speaker = speakerOf(event.from, event.space);
        // The streamed text has become this message.
        if (words?.end(speaker, event.content) === true) break;
        if (streamed.get(speaker)?.trim() === event.content.trim()) streamed.delete(speaker);
        const text = messageText(terminal, event);
        if (DIM_KINDS.has(event.kind)) printDim(speaker, text);
        else print(speaker, isTerminal && STARTERS.has(event.from) ? folded(text, event.space ?? place) : text);
        break;
      }
      case "chunk": {
        const speaker = speakerOf(event.agent, event.space);
        if (words !== undefined) words.add({ paint, nameWidth, columns }, speaker, event.text);
        else streamed.set(speaker, `${streamed.get(speaker) ?? ""}${event.text}`);
        break;
      }
      case "tool_call": {
        const speaker = speakerOf(event.agent, event.space);
        printStreamed(speaker);
        const { args = {}, shown = args } = event;
        printDim(speaker, `${event.tool} ${brief(summaries ? callSummary(shown) : JSON.stringify(args))}`);
        break;
      }
      case "tool_result": {
        const speaker = speakerOf(event.agent, event.space);
        if (event.isError) printDim(speaker, `${event.tool} was refused: ${brief(event.content)}`);
        else if (verbose) printDim(speaker, `${event.tool}: ${event.content}`);
        break;
      }
      case "step": {
        const speaker = speakerOf(event.agent, event.space);
        printStreamed(speaker);
        if (verbose) printDim(speaker, `step ${event.number}`);
        break;
      }
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

/** Leaves out the middle of a long text, such as a kickoff that contains a diff. */
function folded(text: string, space: string): string {
  const lines = text.split("\n");
  const more = lines.length - FIRST_LINES - LAST_LINES;
  if (more <= FIRST_LINES) return text;
  return [
    ...lines.slice(0, FIRST_LINES),
    `… ${more} more lines: agent-worker peek ${formatSpace(space)}`,
    ...lines.slice(-LAST_LINES),
  ].join("\n");
}

/** What happens in a sub-space is marked with its name, after that of who speaks there: `ben/design`. */
function speakerOf(name: string, space = ""): string {
  const at = space.indexOf("/");
  return at === -1 ? name : `${name}${space.slice(at)}`;
}
