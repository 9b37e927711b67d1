import { hintForUnknown } from "../../kernel/closest.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/**
 * The grammar of `${{ name }}` in kickoffs, setup commands and paths. A name is one word, or a group and a word
 * (`params.base`). `$${{` is a literal `${{`. There are no expressions: text that looks like one is refused, so that a
 * typing error never reaches an agent.
 */
export interface Placeholder {
  readonly name: string;
  /** Offsets in the template: of the dollar sign, and after the closing braces. */
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** A part of a template. */
export type TemplatePart =
  | { readonly literal: string; readonly placeholder?: never }
  | { readonly placeholder: Placeholder; readonly literal?: never };

const OPEN = "${{";
const CLOSE = "}}";
const NAME = /^[a-zA-Z_][\w-]*(?:\.[a-zA-Z_][\w-]*)?$/;

export function splitTemplate(template: string): Result<TemplatePart[], Refusal> {
  const parts: TemplatePart[] = [];
  let literal = "";
  let from = 0;
  for (let open = template.indexOf(OPEN); open !== -1; open = template.indexOf(OPEN, from)) {
    if (open > from && template[open - 1] === "$") {
      literal += template.slice(from, open - 1) + OPEN;
      from = open + OPEN.length;
      continue;
    }
    const placeholder = readPlaceholder(template, open);
    if (!placeholder.ok) return placeholder;
    literal += template.slice(from, open);
    if (literal !== "") parts.push({ literal });
    parts.push({ placeholder: placeholder.value });
    literal = "";
    from = placeholder.value.end;
  }
  literal += template.slice(from);
  if (literal !== "") parts.push({ literal });
  return ok(parts);
}

/**
 * Returns the placeholders of a template, in order. Refuses a malformed template and a name that is not in `names`. Any
 * `env.NAME` is accepted, because the environment is known only at the start.
 */
export function checkPlaceholders(template: string, names: Iterable<string>): Result<Placeholder[], Refusal> {
  const parts = splitTemplate(template);
  if (!parts.ok) return parts;
  const placeholders = parts.value.flatMap(({ placeholder }) => placeholder ?? []);
  const defined = new Set(names);
  const unknown = placeholders.find(({ name }) => !defined.has(name) && !isEnvironmentName(name));
  return unknown === undefined ? ok(placeholders) : refuseUnknown(unknown, [...defined, "env.NAME"]);
}

/** Returns the names that a template uses; none when it is malformed. */
export function placeholderNames(template: string): string[] {
  const parts = splitTemplate(template);
  return parts.ok ? parts.value.flatMap(({ placeholder }) => placeholder?.name ?? []) : [];
}

export function isEnvironmentName(name: string): boolean {
  return name.startsWith("env.");
}

/** Mentions the environment only if `names` has a name of it; rules, for example, have none. */
export function refuseUnknown(placeholder: Placeholder, names: Iterable<string>): Result<never, Refusal> {
  const { name, line, column } = placeholder;
  const all = [...names];
  const environment = all.some(isEnvironmentName);
  if (environment && isEnvironmentName(name)) {
    return refuse("invalid", `The environment variable ${name.slice("env.".length)} is not set.`, {
      hint: `Set it before the start, or remove \${{ ${name} }}.`,
      details: { name, line, column },
    });
  }
  const known = [...all.filter((other) => !isEnvironmentName(other)), ...(environment ? ["env.NAME"] : [])];
  return refuse("invalid", `\${{ ${name} }} is not defined.`, {
    hint: hintForUnknown(name, known, "names"),
    details: { name, line, column, known },
  });
}

function readPlaceholder(template: string, start: number): Result<Placeholder, Refusal> {
  const inside = start + OPEN.length;
  const close = template.indexOf(CLOSE, inside);
  const nextOpen = template.indexOf(OPEN, inside);
  const { line, column } = positionIn(template, start);
  if (close === -1 || (nextOpen !== -1 && nextOpen < close)) {
    return refuse("invalid", `The placeholder at line ${line}, column ${column} is not closed.`, {
      hint: "Close it with }}, or write $${{ for the characters themselves.",
      details: { line, column },
    });
  }
  const name = template.slice(inside, close).trim();
  if (!NAME.test(name)) {
    return refuse("invalid", `"${name.slice(0, 60)}" at line ${line}, column ${column} is not a name.`, {
      hint: "A placeholder holds one name such as changes, params.base or env.HOME. Write $${{ for the characters themselves.",
      details: { line, column },
    });
  }
  return ok({ name, start, end: close + CLOSE.length, line, column });
}

/** Line and column of an offset, counted from 1. */
export function positionIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
