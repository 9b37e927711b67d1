import { beginningOf, textWidth } from "./text-width.ts";
import { lineWidth, type Line, type Span } from "./span.ts";

/** Breaks a line at spaces, and words that are longer than a line anywhere. Lines after the first begin with `hanging`. */
export function wrapLine(spans: Line, columns: number, hanging = 0): Line[] {
  if (lineWidth(spans) <= columns) return [spans];
  const indent = Math.min(hanging, Math.max(0, columns - NARROWEST));
  const lines: Span[][] = [];
  let current: Span[] = [];
  let width = 0;
  let isEmpty = true;
  const end = (): void => {
    lines.push(current);
    current = indent === 0 ? [] : [{ text: " ".repeat(indent), style: "plain" }];
    width = indent;
    isEmpty = true;
  };
  const add = (text: string, style: Span["style"]): void => {
    const last = current.at(-1);
    if (last !== undefined && last.style === style) current[current.length - 1] = { text: last.text + text, style };
    else current.push({ text, style });
    width += textWidth(text);
    isEmpty = false;
  };
  for (const { text, style } of spans) {
    for (const word of text.split(/(?<= )(?=[^ ])/)) {
      const shown = word.trimEnd();
      if (!isEmpty && width + textWidth(shown) > columns) end();
      let rest = word;
      while (width + textWidth(rest.trimEnd()) > columns) {
        const part = beginningOf(rest, columns - width);
        if (part === "") break;
        add(part, style);
        rest = rest.slice(part.length);
        end();
      }
      const fitting = width + textWidth(rest) > columns ? rest.trimEnd() : rest;
      if (fitting !== "" && !(isEmpty && lines.length > 0 && fitting.trim() === "")) add(fitting, style);
    }
  }
  if (!isEmpty) lines.push(current);
  return lines;
}

const NARROWEST = 10;
