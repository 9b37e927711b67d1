import { line, span, type Line } from "../../screen/span.ts";
import { CHAT_COMMANDS } from "../model/chat-command.ts";

const KEYS: readonly (readonly [key: string, about: string])[] = [
  ["Enter", "send; with \\ at the end of the line, or Alt-Enter or Ctrl-J: a new line"],
  ["Tab", "complete @name, @path and /command; otherwise the next pane, Shift-Tab the one before"],
  ["Alt-1 … Alt-9", "that pane"],
  ["Ctrl-T", "panes side by side, or one"],
  ["y n r a, 1 … 9", "and Enter: decide what waits for you; Enter alone shows all of it; Esc: later"],
  ["", "r: not again until this run ends; a: always, by a rule in the agent's file that you see first"],
  ["PgUp PgDn ↑ ↓", "scroll; Home and End in an empty input: the beginning and the end"],
  ["Ctrl-F, Ctrl-G", "search; then the earlier and the later place"],
  ["Ctrl-O", "tool calls whole, or folded"],
  ["Ctrl-P, Ctrl-N", "what you sent before"],
  ["Ctrl-L", "draw the screen again"],
  ["Ctrl-C", "empty the input; twice: end. Ctrl-D ends, too. The work goes on."],
];

export function helpLines(): Line[] {
  const rows = (pairs: readonly (readonly [string, string])[]): Line[] => {
    const width = Math.max(...pairs.map(([name]) => name.length));
    return pairs.map(([name, about]) => line(span(`  ${name.padEnd(width)}  `, "bold"), about));
  };
  return [
    line(span("Keys", "bold")),
    ...rows(KEYS),
    [],
    line(span("Commands", "bold")),
    ...rows(CHAT_COMMANDS.map(({ name, words, about }) => [`/${name} ${words}`.trimEnd(), about] as const)),
    [],
    line("@path sends a file of this folder along, as agent-worker send --file does; a picture is shown to the model."),
    line("//text sends a text that begins with a slash."),
  ];
}
