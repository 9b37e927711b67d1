import type { Place } from "../yaml/problem.ts";
import { createCodeFiles } from "./code-files.ts";

const DEFINITION = /\bdefineProposal\s*\(\s*\{\s*name\s*:\s*(["'`])([^"'`\n]*)\1/g;

/** Returns the names of proposals that are written out as the first field of their definition. */
export function namesIn(text: string): readonly { readonly name: string; readonly place: Place }[] {
  return [...text.matchAll(DEFINITION)].map((match) => {
    const name = match[2] ?? "";
    const offset = match.index + match[0].length - name.length - 2;
    return { name, place: placeAt(text, offset) };
  });
}

/** Returns the names of all proposals of a project that can be known without running its code. */
export function ownProposalNames(projectDir: string): readonly string[] {
  return createCodeFiles(projectDir)()
    .filter(({ isShared }) => !isShared)
    .flatMap(({ text }) => namesIn(text).map(({ name }) => name));
}

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return placeIn(text, { line: before.length, column: (before.at(-1) ?? "").length + 1 });
}

export function placeIn(text: string, { line, column }: { readonly line: number; readonly column: number }): Place {
  return { line, column, text: text.split("\n")[line - 1] ?? "" };
}
