import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, parseSync } from "oxc-parser";

/** A parsed source. The gates use syntax trees, because a text search finds imports in comments, too. */
export interface SourceFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly program: Program;
  lineAt(offset: number): number;
}

export function readSource(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), "utf8");
  const { program, errors } = parseSync(path, text);
  const [first] = errors;
  if (first !== undefined) throw new Error(`${path} does not parse: ${first.message}`);
  return { path, program, lineAt: (offset) => text.slice(0, offset).split("\n").length };
}
