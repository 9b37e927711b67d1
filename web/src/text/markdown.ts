import { Lexer, type Token, type Tokens } from "marked";

/**
 * Parses Markdown into plain values, never into markup, so that messages and documents can only become text of the page.
 * Only the lexer of `marked` is used; its renderer, which makes HTML, is not part of the page. What is not understood,
 * such as HTML, stays text. A link always shows its address, which is http or https; other addresses are text. An image
 * is a link: nothing is loaded from elsewhere.
 */
export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "emphasis" | "deleted"; readonly parts: readonly Inline[] }
  | { readonly kind: "link"; readonly address: string };

export type Block =
  | { readonly kind: "paragraph"; readonly parts: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly parts: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string; readonly language: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "list"; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | {
      readonly kind: "table";
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { readonly kind: "rule" };

export interface ListItem {
  /** Whether a task is done; undefined when it is no task. */
  readonly done: boolean | undefined;
  readonly blocks: readonly Block[];
}

export interface Column {
  readonly parts: readonly Inline[];
  readonly align: "left" | "center" | "right" | undefined;
}

/** A longer text, or a deeper one, is shown as it was written. */
const MAX_CHARS = 200_000;
const MAX_DEPTH = 16;

export function parseMarkdown(text: string): readonly Block[] {
  if (text.length > MAX_CHARS || isTooDeep(text)) return [plain(text)];
  try {
    return blocksOf(new Lexer({ gfm: true }).lex(text), 0);
  } catch {
    return [plain(text)];
  }
}

/** Marks in a row nest, and the lexer looks at the rest of a paragraph for each mark in it. */
function isTooDeep(text: string): boolean {
  if (/(?:^|\n)[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*){24}|[*_[\]`~<!]{200}/.test(text)) return true;
  const outsideCode = text.replace(/^(```|~~~)[^]*?^\1/gm, "");
  return outsideCode.split(/\n\s*\n/).some((paragraph) => countMarks(paragraph) > MAX_MARKS);
}

const MAX_MARKS = 2000;

function countMarks(text: string): number {
  let count = 0;
  for (const char of text) if ("*_~[]`<!|".includes(char)) count += 1;
  return count;
}

function plain(text: string): Block {
  return { kind: "paragraph", parts: [{ kind: "text", text }] };
}

function blocksOf(tokens: readonly Token[], depth: number): readonly Block[] {
  return tokens.flatMap((token) => blockOf(token as Tokens.Generic, depth));
}

function blockOf(token: Tokens.Generic, depth: number): Block[] {
  const inside = token.tokens ?? [];
  if (depth > MAX_DEPTH) return [plain(token.raw)];
  switch (token.type) {
    case "space":
    case "checkbox":
      return [];
    case "paragraph":
    case "text":
      return [{ kind: "paragraph", parts: inside.length === 0 ? inlineText(token) : inlineOf(inside, depth) }];
    case "heading":
      return [{ kind: "heading", level: (token as Tokens.Heading).depth, parts: inlineOf(inside, depth) }];
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return [{ kind: "code", text, language: /^[\w+#.-]*/.exec(lang ?? "")?.[0].toLowerCase() ?? "" }];
    }
    case "blockquote":
      return [{ kind: "quote", blocks: blocksOf(inside, depth + 1) }];
    case "hr":
      return [{ kind: "rule" }];
    case "list":
      return [listOf(token as Tokens.List, depth)];
    case "table":
      return [tableOf(token as Tokens.Table, depth)];
    default:
      return token.raw.trim() === "" ? [] : [plain(token.raw.replace(/\n+$/, ""))];
  }
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): Block {
  return {
    kind: "list",
    start: ordered ? (start === "" ? 1 : start) : undefined,
    items: items.map((item) => ({
      done: item.task ? item.checked === true : undefined,
      blocks: blocksOf(item.tokens, depth + 1),
    })),
  };
}

function tableOf({ header, rows }: Tokens.Table, depth: number): Block {
  return {
    kind: "table",
    columns: header.map(({ tokens, align }) => ({ parts: inlineOf(tokens, depth), align: align ?? undefined })),
    rows: rows.map((row) => row.map(({ tokens }) => inlineOf(tokens, depth))),
  };
}

function inlineOf(tokens: readonly Token[], depth: number): readonly Inline[] {
  return joined(tokens.flatMap((token) => inlinePart(token as Tokens.Generic, depth + 1)));
}

function inlinePart(token: Tokens.Generic, depth: number): readonly Inline[] {
  if (depth > MAX_DEPTH) return [{ kind: "text", text: token.raw }];
  const inside = token.tokens ?? [];
  switch (token.type) {
    case "codespan":
      return [{ kind: "code", text: (token as Tokens.Codespan).text }];
    case "strong":
      return [{ kind: "strong", parts: inlineOf(inside, depth) }];
    case "em":
      return [{ kind: "emphasis", parts: inlineOf(inside, depth) }];
    case "del":
      return [{ kind: "deleted", parts: inlineOf(inside, depth) }];
    case "br":
      return [{ kind: "text", text: "\n" }];
    case "checkbox":
      return [];
    case "escape":
      return inlineText(token);
    case "text":
      return inside.length === 0 ? inlineText(token) : inlineOf(inside, depth);
    case "link":
    case "image":
      return linkOf(token as Tokens.Link | Tokens.Image);
    default:
      return [{ kind: "text", text: token.raw }];
  }
}

function inlineText({ text, raw }: Tokens.Generic): readonly Inline[] {
  return [{ kind: "text", text: typeof text === "string" ? text : raw }];
}

/** The address is shown as it is opened: a label must not name another place. */
function linkOf({ href, text, raw }: Tokens.Link | Tokens.Image): readonly Inline[] {
  if (!/^https?:\/\/[^\s"'<>`]+$/.test(href)) return [{ kind: "text", text: raw }];
  const link: Inline = { kind: "link", address: href };
  if (text === href || text === "") return [link];
  return [{ kind: "text", text: `${text} (` }, link, { kind: "text", text: ")" }];
}

/** Joins texts beside each other, so that a name that is mentioned is found whole. */
function joined(parts: readonly Inline[]): readonly Inline[] {
  const found: Inline[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      found[found.length - 1] = { kind: "text", text: last.text + part.text };
    else found.push(part);
  }
  return found;
}
