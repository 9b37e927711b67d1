import { Composer, isScalar, Schema, visit } from "yaml";
import type { Document, LineCounter, YAMLError } from "yaml";
import type { DefinitionProblem } from "../../ports/definitions.ts";
import { byPlace, problem } from "./problem.ts";
import type { Place, YamlPath } from "./problem.ts";
import { tokenize } from "./yaml-tokens.ts";
import { toTree } from "./yaml-tree.ts";
import type { YamlNode } from "./yaml-tree.ts";

/** A parsed file with the position of every key and value. */
export interface YamlSource {
  readonly file: string;
  readonly value: unknown;
  /**
   * Returns where `path` is written: its key, or its value. For a path that is not in the file it is the place of the
   * deepest part that is.
   */
  place(path: YamlPath, part?: "key" | "value"): Place;
  /** Returns the place of a line and column (from 1) of the text at `path`; the start of the value if lines are folded. */
  placeInText(path: YamlPath, line: number, column: number): Place;
}

export type ParsedYaml =
  | { readonly ok: true; readonly source: YamlSource }
  | { readonly ok: false; readonly problems: readonly DefinitionProblem[] };

const MAX_SYNTAX_PROBLEMS = 20;
/** All control characters of Unicode except tab, line feed, carriage return and next line. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]/;
/** Cloned for each file, because a file can add to it. Building it takes longer than parsing a short file. */
const CORE = new Schema({ schema: "core", merge: false, resolveKnownTags: true });

/**
 * Parses one YAML 1.2 document into plain data. Every failure is a problem with its place. Never throws, and takes a
 * bounded time, whatever the text is.
 */
export function parseYaml(file: string, text: string): ParsedYaml {
  const placeOf = (offset: number, lines?: LineCounter): Place => placeAt(text, offset, lines);
  const fail = (offset: number, message: string, hint?: string, lines?: LineCounter): ParsedYaml => ({
    ok: false,
    problems: [problem(file, placeOf(offset, lines), message, hint === undefined ? {} : { hint })],
  });

  const control = CONTROL.exec(text);
  if (control !== null) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return fail(control.index, `The file holds a control character (U+${code}).`, "Remove the character.");
  }

  const tokenized = tokenize(text);
  if (!tokenized.ok) return fail(tokenized.error.offset, tokenized.error.message, tokenized.error.hint);
  const { tokens, lines } = tokenized.value;

  const directive = tokens.find((token) => token.type === "directive");
  if (directive !== undefined) {
    return fail(directive.offset, "YAML directives (%) are not supported.", "Remove the line.", lines);
  }
  const starts = tokens.filter((token) => token.type === "document").map((token) => token.offset);
  if (starts[1] !== undefined) {
    return fail(starts[1], "The file holds more than one document.", "Put each definition in its own file.", lines);
  }

  const composer = new Composer({ schema: CORE.clone(), uniqueKeys: false, prettyErrors: false });
  const [document] = composer.compose(tokens, true, text.length);
  if (document === undefined) return fail(0, "The file is empty.");
  const mistakes = [...document.errors, ...document.warnings];
  if (mistakes.length > 0) return { ok: false, problems: syntaxProblems(file, text, document, mistakes, lines) };
  if (document.contents === null) return fail(0, "The file is empty.");

  const { root, faults } = toTree(document);
  if (faults.length > 0) {
    const problems = faults.map(({ offset, message, hint }) =>
      problem(file, placeOf(offset, lines), message, hint === undefined ? {} : { hint }),
    );
    return { ok: false, problems: problems.toSorted(byPlace) };
  }
  const place = (path: YamlPath, part: "key" | "value" = "key"): Place => placeOf(offsetOf(root, path, part), lines);
  const placeInText = (path: YamlPath, line: number, column: number): Place =>
    insideText(text, place(path, "value"), line, column);
  return { ok: true, source: { file, value: root.value, place, placeInText } };
}

/** Only a literal block (`|`) keeps its lines; in a value on one line the column can still be computed. */
function insideText(text: string, start: Place, line: number, column: number): Place {
  const rest = start.text.slice(start.column - 1);
  if (/^\|[-+\d]*\s*(?:#.*)?\r?$/u.test(rest)) {
    const lines = text.split("\n");
    const indent = /^ */u.exec(lines.slice(start.line).find((content) => content.trim() !== "") ?? "")?.[0].length ?? 0;
    return { line: start.line + line, column: indent + column, text: lines[start.line + line - 1] ?? "" };
  }
  if (line > 1 || rest.startsWith(">")) return start;
  return { ...start, column: start.column + column - (/^["']/u.test(rest) ? 0 : 1) };
}

function offsetOf(root: YamlNode, path: YamlPath, part: "key" | "value"): number {
  let node = root;
  let keyOffset = root.offset;
  for (const step of path) {
    const child = node.children.get(step);
    if (child === undefined) return keyOffset;
    ({ keyOffset, node } = child);
  }
  return part === "key" ? keyOffset : node.offset;
}

/** Without a line counter (the text was rejected early) the lines before the offset are counted. */
function placeAt(text: string, offset: number, lines?: LineCounter): Place {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const line = lines?.linePos(offset).line || text.slice(0, offset).split("\n").length;
  const end = text.indexOf("\n", start);
  return {
    line,
    column: offset - start + 1,
    text: text.slice(start, Math.min(end === -1 ? text.length : end, start + 2000)),
  };
}

/** One problem per line: a single mistake causes several parser errors, and the first is the useful one. */
function syntaxProblems(
  file: string,
  text: string,
  document: Document.Parsed,
  mistakes: readonly YAMLError[],
  lines: LineCounter,
): readonly DefinitionProblem[] {
  const byLine = new Map<number, DefinitionProblem>();
  for (const mistake of mistakes) {
    const place = placeAt(text, mistakeOffset(document, mistake), lines);
    const { message, hint } = explain(mistake, place);
    if (!byLine.has(place.line))
      byLine.set(place.line, problem(file, place, message, hint === undefined ? {} : { hint }));
  }
  return [...byLine.values()].toSorted(byPlace).slice(0, MAX_SYNTAX_PROBLEMS);
}

/** The parser reports an unclosed quote at the end of the file; this is where it was opened. */
function mistakeOffset(document: Document.Parsed, mistake: YAMLError): number {
  if (mistake.code !== "MISSING_CHAR" || !mistake.message.includes("quote")) return mistake.pos[0];
  let opened: number | undefined;
  visit(document, (_key, node) => {
    if (isScalar(node) && (node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE")) {
      const start = node.range?.[0];
      if (start !== undefined && start <= mistake.pos[0]) opened = start;
    }
  });
  return opened ?? mistake.pos[0];
}

function explain(mistake: YAMLError, place: Place): { message: string; hint?: string } {
  switch (mistake.code) {
    case "TAB_AS_INDENT":
      return { message: "The line is indented with a tab.", hint: "Indent with spaces." };
    case "BLOCK_AS_IMPLICIT_KEY":
      return { message: 'A second ": " on this line.', hint: "Put the value in quotes if the colon is part of it." };
    case "BAD_ALIAS":
      return { message: "An alias is not written correctly." };
    case "TAG_RESOLVE_FAILED":
      return { message: "Tags (!) are not supported.", hint: "Remove the tag, or quote the value." };
    case "BAD_SCALAR_START":
      return { message: "The value starts with a character YAML reserves.", hint: "Put the value in quotes." };
    case "MISSING_CHAR":
      if (mistake.message.includes("quote")) return { message: "The quote opened here is never closed." };
      break;
    case "BAD_INDENT":
      if (place.text.includes("\t"))
        return { message: "The line is indented with a tab.", hint: "Indent with spaces." };
      break;
    default:
      break;
  }
  return { message: `This is not valid YAML: ${lowerFirst(mistake.message)}.` };
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1, 200)}`.replace(/\.$/u, "");
}
