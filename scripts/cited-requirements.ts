import { Visitor } from "oxc-parser";
import type { Expression } from "oxc-parser";
import type { SourceFile } from "./source-file.ts";

/** `[area.feature]` in a string of a test file. `title`: the string is the title of a test or a suite. */
export interface Citation {
  readonly id: string;
  readonly path: string;
  readonly line: number;
  readonly title: boolean;
}

const citation = /\[([a-z][a-z0-9-]*\.[a-z0-9][a-z0-9.-]*)\]/g;
const testers = new Set(["it", "test", "describe", "suite"]);

/**
 * Titles may come from tables of cases, so every string counts, except in a test that is skipped or still to be written.
 */
export function citedRequirements(source: SourceFile): readonly Citation[] {
  const found: { id: string; offset: number }[] = [];
  const titles = new Set<number>();
  const skipped: { start: number; end: number }[] = [];
  const collect = (text: string, offset: number): void => {
    for (const [, id = ""] of text.matchAll(citation)) found.push({ id, offset });
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") collect(node.value, node.start);
    },
    TemplateLiteral: (node) => {
      for (const part of node.quasis) collect(part.value.cooked ?? "", node.start);
    },
    CallExpression: (node) => {
      const [name = "", ...modifiers] = calledChain(node.callee);
      if (!testers.has(name)) return;
      const [title] = node.arguments;
      if (title !== undefined) titles.add(title.start);
      if (modifiers.includes("skip") || modifiers.includes("todo")) skipped.push({ start: node.start, end: node.end });
    },
  }).visit(source.program);
  return found
    .filter(({ offset }) => !skipped.some(({ start, end }) => start <= offset && offset < end))
    .map(({ id, offset }) => ({ id, path: source.path, line: source.lineAt(offset), title: titles.has(offset) }));
}

/** `describe.skip` gives describe, skip; `it.each(cases)` gives it, each. */
function calledChain(callee: Expression): readonly string[] {
  if (callee.type === "Identifier") return [callee.name];
  if (callee.type === "CallExpression") return calledChain(callee.callee);
  if (callee.type === "TaggedTemplateExpression") return calledChain(callee.tag);
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  return [...calledChain(callee.object), callee.property.name];
}
