import { Composer, Lexer, LineCounter, Parser } from "yaml";
import type { CST, Document } from "yaml";

/**
 * Parses an untrusted YAML file. A file that is nested too deeply is rejected before the recursive passes. Returns the
 * document, or the error and its line.
 */
export type BoundedYaml =
  | { readonly document: Document; readonly lineOf: (offset: number) => number }
  | { readonly document: undefined; readonly line: number; readonly message: string };

const MAX_DEPTH = 100;

export function parseBoundedYaml(text: string): BoundedYaml {
  const lines = new LineCounter();
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) {
      return { document: undefined, line: lineOf(parser.offset), message: "is nested too deeply" };
    }
  }
  tokens.push(...parser.end());
  const [document, second] = new Composer({ prettyErrors: false }).compose(tokens, true, text.length);
  const [error] = document?.errors ?? [];
  if (error !== undefined) return { document: undefined, line: lineOf(error.pos[0]), message: error.message };
  if (document === undefined || second !== undefined) {
    return { document: undefined, line: lineOf(second?.range[0] ?? 0), message: "holds more than one YAML document" };
  }
  return { document, lineOf };
}
