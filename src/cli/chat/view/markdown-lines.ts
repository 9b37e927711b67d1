import { nameStyle, span, type Line, type Span, type Style } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import { codeSpans } from "./code-spans.ts";

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+-]*)/;
const HEADING = /^#{1,6} +(.+?)(?: +#+)?$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)]) +(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;

/**
 * Lays out Markdown line by line, so that a text that is still being written looks as it will look. Syntax that is not
 * known stays text. Names after an @ have the colour of the name.
 */
export function markdownLines(text: string, columns: number, names: ReadonlySet<string>): Line[] {
  const lines: Line[] = [];
  let fence: { readonly marks: string; readonly language: string } | undefined;
  const inline = (part: string, style: Style = "plain"): Line => inlineSpans(part, style, names);
  for (const each of text.replaceAll("\r\n", "\n").split("\n")) {
    if (fence !== undefined) {
      const marks = each.trim();
      if (marks.length >= fence.marks.length && marks === fence.marks.charAt(0).repeat(marks.length)) fence = undefined;
      else lines.push(...wrapLine([BAR, ...codeSpans(each, fence.language)], columns, 2));
      continue;
    }
    const [, marks, language = ""] = FENCE.exec(each) ?? [];
    if (marks !== undefined) {
      fence = { marks, language: language.toLowerCase() };
      continue;
    }
    const heading = HEADING.exec(each)?.[1];
    const [, indent = "", bullet, item = ""] = RULE.test(each) ? [] : (ITEM.exec(each) ?? []);
    const quote = QUOTE.exec(each)?.[1];
    if (heading !== undefined) lines.push(...wrapLine(inline(heading, "bold"), columns));
    else if (RULE.test(each)) lines.push([span("─".repeat(Math.min(columns, 40)), "dim")]);
    else if (bullet !== undefined) {
      const mark = `${indent}${/\d/.test(bullet) ? bullet : "•"} `;
      lines.push(...wrapLine([span(mark, "dim"), ...inline(item)], columns, mark.length));
    } else if (quote !== undefined) lines.push(...wrapLine([BAR, ...inline(quote, "dim")], columns, 2));
    else lines.push(...wrapLine(inline(each.trimEnd()), columns, /^\s*/.exec(each)?.[0].length ?? 0));
  }
  return withoutEmptyEnds(lines);
}

const BAR: Span = span("│ ", "dim");

const INLINE =
  /(`+)(?<code>[^`]|[^`].*?[^`])\1(?!`)|\*\*(?<strong>\S|\S.*?\S)\*\*|(?<![\w*])\*(?<starred>[^\s*]|[^\s*][^*]*?[^\s*])\*(?![\w*])|(?<![\w@.])@(?<name>[A-Za-z][\w-]*)/u;

function inlineSpans(text: string, style: Style, names: ReadonlySet<string>): Span[] {
  const spans: Span[] = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found !== null; found = INLINE.exec(rest)) {
    if (found.index > 0) spans.push(span(rest.slice(0, found.index), style));
    const { code, strong, starred, name } = found.groups ?? {};
    if (code !== undefined) spans.push(span(code, "code"));
    else if (strong !== undefined) spans.push(...inlineSpans(strong, "bold", names));
    else if (starred !== undefined) spans.push(...inlineSpans(starred, style === "plain" ? "bold" : style, names));
    else spans.push(span(found[0], name !== undefined && names.has(name) ? nameStyle(name) : style));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== "" || spans.length === 0) spans.push(span(rest, style));
  return spans;
}

function withoutEmptyEnds(lines: readonly Line[]): Line[] {
  const isEmpty = (each: Line): boolean => each.every(({ text }) => text.trim() === "");
  const first = lines.findIndex((each) => !isEmpty(each));
  const last = lines.findLastIndex((each) => !isEmpty(each));
  return first === -1 ? [] : lines.slice(first, last + 1);
}
