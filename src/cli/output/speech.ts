import type { Paint } from "./paint.ts";
import { visibleText } from "./visible-text.ts";
import { wrapLines } from "./wrap-lines.ts";

/**
 * How something said is laid out: who in a column of its own, what beside it, further lines below the first. Mentions
 * have the colour of the one they name.
 */
export interface SpeechLayout {
  readonly paint: Paint;
  /** Of the column with the names. */
  readonly nameWidth: number;
  /** Of the terminal; lines are not broken without one. */
  readonly columns: number | undefined;
}

interface Speech {
  readonly from: string;
  readonly text: string;
  /** Before the name, already painted, with its width. */
  readonly mark?: { readonly text: string; readonly width: number };
  /** Names that have a colour when they are mentioned. */
  readonly mentions?: readonly string[];
  readonly style?: (text: string) => string;
}

const NARROWEST = 30;

export function formatSpeech({ paint, nameWidth, columns }: SpeechLayout, speech: Speech): string {
  const { from, mark, style = (text: string) => text } = speech;
  const hanging = " ".repeat((mark === undefined ? 0 : mark.width + 2) + nameWidth + 2);
  const name = `${paint.as(from, from)}${" ".repeat(Math.max(0, nameWidth - from.length))}`;
  const text = visibleText(speech.text).trimEnd();
  const lines =
    columns === undefined ? text.split("\n") : wrapLines(text, Math.max(NARROWEST, columns - hanging.length));
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
