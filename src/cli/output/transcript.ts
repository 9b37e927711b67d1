import type { RunEvent } from "../../contract/service/work-request.ts";
import { paintFor } from "./paint.ts";
import { formatSpeech } from "./speech.ts";
import type { Terminal } from "./terminal.ts";
import { shortened } from "./visible-text.ts";

const SHORTEST_NAME_COLUMN = 8;
const SHORT = 100;

/**
 * Writes down what a team says and does as it happens: for a person message by message, with the tools in between; for
 * a program one JSON object a line. Of setup commands the command is shown, not what it prints: that comes back in the
 * kickoff. With `verbose` also the steps, the whole arguments and what tools answered.
 */
export function showRunEvents(
  terminal: Terminal,
  { json, verbose }: { readonly json: boolean; readonly verbose: boolean },
): (event: RunEvent) => void {
  if (json) return (event) => terminal.print(`${JSON.stringify(event)}\n`);
  const paint = paintFor(terminal);
  const { columns } = terminal;
  const thoughts = new Map<string, string>();
  let names: readonly string[] = [];
  let nameWidth = SHORTEST_NAME_COLUMN;
  const say = (from: string, text: string, style: (text: string) => string = (same) => same): void =>
    terminal.print(formatSpeech({ paint, nameWidth, columns }, { from, text, mentions: names, style }));
  const aside = (from: string, text: string): void => say(from, text, paint.dim);
  const brief = (text: string): string => (verbose ? text : shortened(text, SHORT));
  /** What an agent wrote before it went on to something else: no message, but worth a glance. */
  const tellThought = (agent: string): void => {
    const thought = (thoughts.get(agent) ?? "").trim();
    thoughts.delete(agent);
    if (thought !== "") aside(agent, brief(thought));
  };

  return (event) => {
    switch (event.type) {
      case "started":
        names = event.participants;
        nameWidth = Math.max(SHORTEST_NAME_COLUMN, ...names.map(({ length }) => length));
        break;
      case "message": {
        // What was streamed is now said.
        if (thoughts.get(event.from)?.trim() === event.content.trim()) thoughts.delete(event.from);
        const whole =
          event.resource === null ? "" : `\n(the whole of it: agent-worker resource show ${event.resource})`;
        const text = `${event.to === null ? "" : `(to ${event.to}) `}${event.content}${whole}`;
        if (event.kind === "notice") aside(event.from, text);
        else say(event.from, text);
        break;
      }
      case "chunk":
        thoughts.set(event.agent, `${thoughts.get(event.agent) ?? ""}${event.text}`);
        break;
      case "tool_call":
        tellThought(event.agent);
        aside(event.agent, `${event.tool} ${brief(JSON.stringify(event.args ?? {}))}`);
        break;
      case "tool_result":
        if (event.isError) aside(event.agent, `${event.tool} was refused: ${brief(event.content)}`);
        else if (verbose) aside(event.agent, `${event.tool}: ${event.content}`);
        break;
      case "step":
        tellThought(event.agent);
        if (verbose) aside(event.agent, `step ${event.number}`);
        break;
      case "setup":
        if (verbose || event.text.startsWith("$ ")) aside("setup", event.text);
        break;
      case "error":
      case "done":
        break;
    }
  };
}
