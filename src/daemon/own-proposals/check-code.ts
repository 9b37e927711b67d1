import { stripTypeScriptTypes } from "node:module";
import type { Place } from "../../files/yaml/problem.ts";
import { problem } from "../../files/yaml/problem.ts";
import { namesIn, placeAt, placeIn } from "../../files/proposals/written-names.ts";
import { checkProposalName } from "../../operations/own-proposals/check-definition.ts";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import { createCodeFiles, type CodeFile } from "../../files/proposals/code-files.ts";

/** What can be said about code without running it: mistakes of the syntax, and names that cannot be used. */
export function checkCode(code: Pick<CodeFile, "file" | "text">): readonly DefinitionProblem[] {
  const { file, text } = code;
  try {
    stripTypeScriptTypes(text);
  } catch (error) {
    const message = error instanceof Error ? error.message.trim() : String(error);
    return [problem(file, placeIn(text, placeInStack(error)), `${message}.`.replace(/\.\.$/, "."))];
  }
  return namesIn(text).flatMap(({ name, place }) => {
    const mistake = checkProposalName(name);
    if (mistake === undefined) return [];
    return [problem(file, place, mistake.message, mistake.hint === undefined ? {} : { hint: mistake.hint })];
  });
}

/** The same for all code of a project. */
export function checkProjectCode(projectDir: string): readonly DefinitionProblem[] {
  return createCodeFiles(projectDir)().flatMap(checkCode);
}

/** Returns where a field of the definition of this name is written, or the definition, or the file. */
export function fieldPlace(text: string, name: unknown, field: string): Place {
  const start = namesIn(text).find((each) => each.name === name)?.place;
  if (field === "name") {
    const written = typeof name === "string" ? new RegExp(`\\bname\\s*:\\s*["'\`]${escapeRegExp(name)}["'\`]`) : null;
    const at = written === null ? -1 : text.search(written);
    return start ?? (at === -1 ? placeIn(text, { line: 1, column: 1 }) : placeAt(text, at));
  }
  const from =
    start === undefined
      ? 0
      : text
          .split("\n")
          .slice(0, start.line - 1)
          .join("\n").length;
  const at = text.slice(from).search(new RegExp(`\\b${field}\\s*[:(]`));
  return at === -1 ? (start ?? placeIn(text, { line: 1, column: 1 })) : placeAt(text, from + at);
}

/** The stack of a mistake in the syntax begins with the place: `url:3`, the line, and a mark below the column. */
export function placeInStack(error: unknown): { readonly line: number; readonly column: number } {
  const [head = "", ...lines] = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  const line = Number(/:(\d+)$/.exec(head)?.[1] ?? 1);
  const mark = lines.slice(0, 5).find((each) => /^\s*\^+\s*$/.test(each));
  return { line, column: mark === undefined ? 1 : mark.indexOf("^") + 1 };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
