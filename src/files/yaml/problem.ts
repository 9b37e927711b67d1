import type { DefinitionProblem } from "../../ports/definitions.ts";
import { excerpt } from "./excerpt.ts";

export type YamlPath = readonly (string | number)[];

/** A position in a source file. `text` is the whole line. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export const START_OF_FILE: Place = { line: 1, column: 1, text: "" };

export function problem(
  file: string,
  place: Place,
  message: string,
  more: { readonly hint?: string; readonly path?: YamlPath; readonly severity?: "error" | "warning" } = {},
): DefinitionProblem {
  return {
    severity: more.severity ?? "error",
    file,
    line: place.line,
    column: place.column,
    path: more.path ?? [],
    message,
    text: excerpt(place.text),
    ...(more.hint === undefined ? {} : { hint: more.hint }),
  };
}

/** Returns `file:line:column: message`, the source line with a caret under the place, and the hint. No final newline. */
export function formatProblem(problem: DefinitionProblem): string {
  const kind = problem.severity === "warning" ? "warning: " : "";
  const lines = [`${problem.file}:${problem.line}:${problem.column}: ${kind}${problem.message}`];
  if (problem.text.trim() !== "") {
    lines.push(`  ${problem.text}`);
    if (problem.column <= problem.text.length + 1) {
      const before = problem.text.slice(0, problem.column - 1);
      lines.push(`  ${before.replace(/[^\t]/gu, " ")}^`);
    }
  }
  if (problem.hint !== undefined) lines.push(`  hint: ${problem.hint}`);
  return lines.join("\n");
}

export function byPlace(a: DefinitionProblem, b: DefinitionProblem): number {
  return a.line - b.line || a.column - b.column;
}
