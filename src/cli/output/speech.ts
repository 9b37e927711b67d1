import type { MessageView } from "../../contract/messages.ts";
import type { Paint } from "./paint.ts";
import { beginningOf, textWidth } from "../screen/text-width.ts";
import type { Terminal } from "./terminal.ts";
import { visibleText } from "./visible-text.ts";

/** The layout of a message: the name in its own column, the text beside it, further lines below the first. */
export interface SpeechLayout {
  readonly paint: Paint;
  /** Width of the column with the names. */
  readonly nameWidth: number;
  /** Width of the terminal; lines are not broken without it. */
  readonly columns: number | undefined;
}

interface Speech {
  readonly from: string;
  readonly text: string;
  /** Stands before the name; already painted, so its width is given. */
  readonly mark?: { readonly text: string; readonly width: number };
  /** Names whose mentions are painted in the colour of the name. */
  readonly mentions?: readonly string[];
  readonly style?: (text: string) => string;
}

/** Returns the content of a message with its recipient, and with the command that shows all of a shortened content. */
export function messageText(
  { hint }: Pick<Terminal, "hint">,
  { to, content, resource }: Pick<MessageView, "to" | "content" | "resource">,
): string {
  const whole = resource === null ? "" : hint(`\n(the whole of it: agent-worker resource show ${resource})`);
  return `${to === null ? "" : `(to ${to}) `}${content}${whole}`;
}

const NARROWEST = 30;

export function formatSpeech({ paint, nameWidth, columns }: SpeechLayout, speech: Speech): string {
  const { from, mark, style = (text: string) => text } = speech;
  const hanging = " ".repeat((mark === undefined ? 0 : mark.width + 2) + nameWidth + 2);
  const name = `${paint.as(from, from)}${" ".repeat(Math.max(0, nameWidth - textWidth(from)))}`;
  const text = visibleText(speech.text).trimEnd();
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(NARROWEST, columns - hanging.length);
  const lines = text.split("\n").flatMap((line) => wrapLine(line, width));
  const painted = lines.map((line) => style(paintMentions(line, speech.mentions ?? [], paint)));
  const head = `${mark === undefined ? "" : `${mark.text}  `}${name}  ${painted[0] ?? ""}`;
  return [head, ...painted.slice(1).map((line) => `${hanging}${line}`)].map((line) => `${line.trimEnd()}\n`).join("");
}

function paintMentions(line: string, names: readonly string[], paint: Paint): string {
  if (names.length === 0) return line;
  return line.replace(/@([a-zA-Z][\w-]*)/g, (mention, name: string) =>
    names.includes(name) ? paint.as(name, mention) : mention,
  );
}

/**
 * Breaks a line at spaces after at most `width` columns. Longer words and indented lines stay whole, except text of wide
 * characters, which is written without spaces.
 */
function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width || /^\s/.test(line)) return [line];
  const lines: string[] = [];
  let current = "";
  let columns = 0;
  for (const word of line.split(" ").flatMap((each) => partsOf(each, width))) {
    const added = textWidth(word);
    const fits = columns + 1 + added <= width;
    if (current !== "" && !fits) lines.push(current);
    current = current === "" || !fits ? word : `${current} ${word}`;
    columns = textWidth(current);
  }
  return [...lines, current];
}

function partsOf(word: string, width: number): string[] {
  if (textWidth(word) <= width || textWidth(word) === word.length) return [word];
  const first = beginningOf(word, width);
  return first === "" ? [word] : [first, ...partsOf(word.slice(first.length), width)];
}
