import type { Writable } from "node:stream";
import type { WatchEvent } from "../daemon/watch-project.ts";
import type { Terminal } from "./command.ts";
import { paintFor, type Paint } from "./paint.ts";

/**
 * Writes down, for a person, what a team says and does: who, then what, message by message, with the tools in between.
 * Of setup commands the command is shown, not what it prints: that comes back in the kickoff. Control characters of messages are shown, never obeyed: what an agent says must not move the cursor.
 */
interface Transcript {
  show(event: WatchEvent): void;
}

const NAME_WIDTH = 10;
const MAX_ARGUMENTS = 100;

function createTranscript(out: Writable, paint: Paint): Transcript {
  const line = (who: string, text: string): void => {
    const indent = " ".repeat(NAME_WIDTH + 2);
    const pad = " ".repeat(Math.max(0, NAME_WIDTH - who.length));
    const [first = "", ...rest] = visible(text).trimEnd().split("\n");
    out.write(`${paint.name(who)}${pad}  ${first}\n${rest.map((each) => `${indent}${each}\n`).join("")}`);
  };
  return {
    show(event) {
      switch (event.type) {
        case "message":
          line(event.from, event.to === null ? event.content : `(to ${event.to}) ${event.content}`);
          break;
        case "tool":
          line(event.agent, paint.dim(`${event.tool} ${shorten(JSON.stringify(event.args ?? {}))}`));
          break;
        case "tool-failed":
          line(event.agent, paint.dim(`${event.tool} was refused: ${shorten(event.content)}`));
          break;
        case "setup":
          if (event.text.startsWith("$ ")) line("setup", paint.dim(event.text));
          break;
      }
    },
  };
}

function shorten(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > MAX_ARGUMENTS ? `${flat.slice(0, MAX_ARGUMENTS)}…` : flat;
}

/** Characters that move the cursor, shown instead of obeyed: nobody rewrites what stands above. */
function visible(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

/** Shows events to a person as a transcript, or to a program as one JSON object a line. */
export function showing(terminal: Terminal, json: boolean): (event: WatchEvent) => void {
  if (json) return (event) => void terminal.out.write(`${JSON.stringify(event)}\n`);
  const transcript = createTranscript(terminal.out, paintFor(terminal.out, terminal.env));
  return (event) => transcript.show(event);
}
