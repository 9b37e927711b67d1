import { visibleText } from "./visible-text.ts";

/** Returns a line of Markdown as it reads, without the marks of headings, lists, code and stress. */
export function plainLine(line: string): string {
  return visibleText(line)
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+\.)\s+/, "")
    .replace(/`+|\*\*|__/g, "")
    .trim();
}
