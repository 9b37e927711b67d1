import { Lexer, LineCounter, Parser } from "yaml";
import type { CST } from "yaml";

/**
 * The first pass over a YAML text. The limits are checked while tokens are read, so that a hostile text (deep nesting,
 * endless tokens, thousands of anchors) is rejected early. The later passes recurse and rely on these limits.
 */
const MAX_TOKENS = 15_000;
const MAX_DEPTH = 100;
const MAX_ANCHORS = 100;

export interface YamlTokens {
  readonly tokens: readonly CST.Token[];
  readonly lines: LineCounter;
}

export interface LimitHit {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

export function tokenize(text: string): { ok: true; value: YamlTokens } | { ok: false; error: LimitHit } {
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let count = 0;
  let anchors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (lexeme.length > 1 && (lexeme.startsWith("&") || lexeme.startsWith("*"))) anchors += 1;
    for (const token of parser.next(lexeme)) tokens.push(token);
    const hit = limit(count, parser.stack.length, anchors, parser.offset);
    if (hit !== undefined) return { ok: false, error: hit };
  }
  for (const token of parser.end()) tokens.push(token);
  return { ok: true, value: { tokens, lines } };
}

function limit(count: number, depth: number, anchors: number, offset: number): LimitHit | undefined {
  if (depth > MAX_DEPTH) return { offset, message: `The file is nested more than ${MAX_DEPTH} levels deep.` };
  if (anchors > MAX_ANCHORS) {
    return {
      offset,
      message: `The file uses more than ${MAX_ANCHORS} anchors and aliases.`,
      hint: "Write the values out.",
    };
  }
  if (count > MAX_TOKENS) return { offset, message: "The file has too many entries for a definition." };
  return undefined;
}
