import { visibleText } from "../output/visible-text.ts";
import { beginningOf, textWidth } from "./text-width.ts";

/** The styles of a screen. Names of agents have one of the `name` styles. */
export type Style =
  | "plain"
  | "dim"
  | "bold"
  | "good"
  | "bad"
  | "warn"
  | "code"
  | "keyword"
  | "string"
  | "chosen"
  | `name${0 | 1 | 2 | 3 | 4 | 5}`;

/** A piece of a line in one style. Its text is safe for a terminal and has no line end: see `span`. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** A line of a screen. */
export type Line = readonly Span[];

const TAB = "    ";

/** Makes text of anybody safe for a terminal: nothing in it can move the cursor or hide. */
export function span(text: string, style: Style = "plain"): Span {
  return { text: visibleText(text).replaceAll("\t", TAB).replaceAll("\n", " "), style };
}

export function line(...parts: readonly (string | Span)[]): Line {
  return parts.map((part) => (typeof part === "string" ? span(part) : part));
}

export function plainText(spans: Line): string {
  return spans.map(({ text }) => text).join("");
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** Returns the beginning of a line that fits. */
export function cutLine(spans: Line, columns: number): Line {
  if (lineWidth(spans) <= columns) return spans;
  const shown: Span[] = [];
  let left = columns - 1;
  for (const { text, style } of spans) {
    const part = beginningOf(text, left);
    if (part !== "") shown.push({ text: part, style });
    left -= textWidth(part);
    if (part.length < text.length) break;
  }
  return [...shown, { text: "…", style: "dim" }];
}

/** Returns a line of exactly so many columns. */
export function fillLine(spans: Line, columns: number): Line {
  const cut = cutLine(spans, columns);
  const missing = columns - lineWidth(cut);
  return missing <= 0 ? cut : [...cut, { text: " ".repeat(missing), style: "plain" }];
}

const NAME_STYLES = ["name0", "name1", "name2", "name3", "name4", "name5"] as const;

/** A name has the same colour everywhere and in every program. */
export function nameStyle(name: string): Style {
  if (name === "user") return "bold";
  if (name === "system" || name === "setup") return "dim";
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return NAME_STYLES[sum % NAME_STYLES.length] ?? "name0";
}
