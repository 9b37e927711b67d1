/**
 * Parses a subset of Markdown into plain values, never into markup, so that messages and documents can only become text
 * of the page. Unknown syntax stays text. A link always shows its address, which is http or https; other addresses are
 * text.
 */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly address: string };

export type Block =
  | { readonly kind: "paragraph" | "quote"; readonly parts: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: "rule" };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,6}) +(.+?)(?: +#+)?$/;
const BULLET = /^ {0,6}[-*+] +(.*)$/;
const NUMBER = /^ {0,6}\d{1,9}[.)] +(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;

export function parseMarkdown(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = blockAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): [Block | undefined, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return codeAt(lines, at, fence);
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  const [, marks, title] = HEADING.exec(line) ?? [];
  if (marks !== undefined && title !== undefined) {
    return [{ kind: "heading", level: marks.length, parts: parseInline(title) }, at + 1];
  }
  for (const [pattern, ordered] of [
    [BULLET, false],
    [NUMBER, true],
  ] as const) {
    if (pattern.test(line)) return listAt(lines, at, pattern, ordered);
  }
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, (each) => QUOTE.test(each));
    const quoted = lines.slice(at, end).map((each) => QUOTE.exec(each)?.[1] ?? "");
    return [{ kind: "quote", parts: parseInline(quoted.join("\n")) }, end];
  }
  const end = endOf(lines, at + 1, (each) => !interrupts(each));
  return [{ kind: "paragraph", parts: parseInline(lines.slice(at, end).join("\n")) }, end];
}

/** A fence that is never closed ends with the text. */
function codeAt(lines: readonly string[], at: number, fence: string): [Block, number] {
  const closes = (line: string): boolean => {
    const marks = line.trim();
    return marks.length >= fence.length && marks === fence.charAt(0).repeat(marks.length);
  };
  const end = endOf(lines, at + 1, (line) => !closes(line));
  return [{ kind: "code", text: lines.slice(at + 1, end).join("\n") }, end + 1];
}

function listAt(lines: readonly string[], at: number, pattern: RegExp, ordered: boolean): [Block, number] {
  const end = endOf(lines, at, (line) => pattern.test(line) || /^ {2,}\S/.test(line));
  const items: string[] = [];
  for (const line of lines.slice(at, end)) {
    const item = pattern.exec(line)?.[1];
    if (item === undefined) items.push(`${items.pop() ?? ""}\n${line.trim()}`);
    else items.push(item);
  }
  return [{ kind: "list", ordered, items: items.map(parseInline) }, end];
}

function interrupts(line: string): boolean {
  return line.trim() === "" || [FENCE, HEADING, BULLET, NUMBER, QUOTE, RULE].some((pattern) => pattern.test(line));
}

function endOf(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let end = from;
  while (end < lines.length && belongs(lines[end] ?? "")) end += 1;
  return end;
}

const INLINE =
  /(`+)(?<code>[^`]|[^`].*?[^`])\1(?!`)|\*\*(?<strong>\S|\S.*?\S)\*\*|(?<![\w*])\*(?<starred>[^\s*]|[^\s*][^*]*?[^\s*])\*(?![\w*])|(?<!\w)_(?<scored>[^\s_]|[^\s_][^_]*?[^\s_])_(?!\w)|\[(?<label>[^\][\n]+)\]\((?<target>https?:\/\/[^\s()<>]+)\)|(?<address>https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/su;

/** Splits at the first match and continues after it. */
function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found !== null; found = INLINE.exec(rest)) {
    if (found.index > 0) parts.push({ kind: "text", text: rest.slice(0, found.index) });
    parts.push(...inlineOf(found.groups ?? {}));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== "") parts.push({ kind: "text", text: rest });
  return parts;
}

function inlineOf(found: Readonly<Record<string, string | undefined>>): Inline[] {
  const { code, strong, starred, scored, label, target, address } = found;
  if (code !== undefined) return [{ kind: "code", text: code }];
  if (strong !== undefined) return [{ kind: "strong", parts: parseInline(strong) }];
  const emphasis = starred ?? scored;
  if (emphasis !== undefined) return [{ kind: "emphasis", parts: parseInline(emphasis) }];
  if (label === undefined || target === undefined) return [{ kind: "link", address: address ?? "" }];
  return [
    { kind: "text", text: `${label} (` },
    { kind: "link", address: target },
    { kind: "text", text: ")" },
  ];
}
