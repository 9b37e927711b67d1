import type { z } from "zod";
import { closest } from "../../../kernel/closest.ts";
import { quoted } from "../../yaml/excerpt.ts";
import type { YamlPath } from "../../yaml/problem.ts";
import type { Report } from "../../yaml/report.ts";
import { branchFor, childValue, chooseOption, descend, keysOf, kindOf, optionsOf } from "./schema-shape.ts";
import type { Schema } from "./schema-shape.ts";

/** Explains a key that is unknown here for a reason: an old name, or a key of another kind of mapping. */
export type ExplainKey = (
  path: YamlPath,
  key: string,
  parent: unknown,
) => { message: string; hint?: string } | undefined;

/**
 * Checks a parsed value against a schema and reports every deviation as an error, unknown keys too: what was meant by
 * them may be a permission. Returns undefined when there is an error. With `readsRest` and no other mistakes it returns
 * the value without the unknown keys, for a file that says more than what is refused because of them.
 */
export function checkSchema<T>(
  schema: z.ZodType<T>,
  value: unknown,
  report: Report,
  explainKey: ExplainKey = () => undefined,
  { readsRest }: { readonly readsRest: boolean } = { readsRest: false },
): T | undefined {
  const unknownKeys: YamlPath[] = [];
  const context: Context = { report, explainKey, unknownKeys };
  const first = schema.safeParse(value);
  if (first.success) return first.data;
  describeIssues(context, first.error.issues, schema, value, []);
  if (!readsRest) return undefined;
  const second = schema.safeParse(withoutKeys(value, unknownKeys));
  return second.success ? second.data : undefined;
}

interface Context {
  readonly report: Report;
  readonly explainKey: ExplainKey;
  readonly unknownKeys: YamlPath[];
}

function describeIssues(
  context: Context,
  issues: readonly z.core.$ZodIssue[],
  schema: Schema,
  value: unknown,
  base: YamlPath,
): void {
  for (const issue of issues) {
    const path = [...base, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))];
    const at = descend(schema, value, issue.path);
    if (issue.code === "unrecognized_keys") {
      const keys = keysOf(branchFor(at.schema, at.value));
      for (const key of issue.keys) unknownKey(context, path, key, keys, at.value);
    } else if (issue.code === "invalid_union") {
      unionIssue(context, issue.errors, path, at.schema, at.value);
    } else {
      const { message, hint } = describe(issue, path, at.value, at.schema);
      context.report.error(path, message, { hint, part: partFor(at.value) });
    }
  }
}

function unionIssue(
  context: Context,
  errors: readonly (readonly z.core.$ZodIssue[])[],
  path: YamlPath,
  union: Schema,
  value: unknown,
): void {
  const options = optionsOf(union);
  const chosen = chooseOption(options, value);
  const [option, issues] = [options[chosen], errors[chosen]];
  if (option !== undefined && issues !== undefined) {
    describeIssues(context, issues, option, value, path);
  } else {
    context.report.error(path, mismatch(path, value, kindOf(union)), { part: partFor(value) });
  }
}

/** A missing or empty entry has no value to point at. */
function partFor(value: unknown): "key" | "value" {
  return value === undefined || value === null ? "key" : "value";
}

function describe(
  issue: z.core.$ZodIssue,
  path: YamlPath,
  value: unknown,
  schema: Schema,
): { message: string; hint?: string | undefined } {
  const label = labelOf(path);
  switch (issue.code) {
    case "invalid_type":
      return { message: mismatch(path, value, issue.expected === "int" ? "a whole number" : kindOf(schema)) };
    case "invalid_value": {
      if (typeof value !== "string") return { message: mismatch(path, value, "text") };
      const values = issue.values.map(String);
      const likely = closest(value, values);
      const listed = `It takes ${values.join(", ")}.`;
      return {
        message: `${label} cannot be ${quoted(value)}.`,
        hint: likely === undefined ? listed : `Did you mean "${likely}"? ${listed}`,
      };
    }
    case "too_small":
      if (issue.origin === "string") return { message: `${label} is empty.` };
      if (issue.origin === "array") return { message: `${label} needs at least one entry.` };
      return { message: `${label} must be ${issue.inclusive === true ? "at least" : "more than"} ${issue.minimum}.` };
    case "too_big":
      return { message: `${label} must be at most ${issue.maximum}.` };
    default:
      return { message: `${label} is not valid.` };
  }
}

function mismatch(path: YamlPath, value: unknown, takes: string): string {
  const label = labelOf(path);
  if (value === undefined) return `${label} is missing.`;
  if (value === null) return `${label} is empty; it takes ${takes}.`;
  return `${label} must be ${takes}, not ${typeName(value)}.`;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return `the number ${Number.isNaN(value) ? ".nan" : value}`;
  return `${value === true}`;
}

function labelOf(path: YamlPath): string {
  const last = path.at(-1);
  if (last === undefined) return "The file";
  if (typeof last === "string") return quoted(last);
  return `Entry ${last + 1} of ${labelOf(path.slice(0, -1))}`;
}

function unknownKey(context: Context, path: YamlPath, key: string, keys: readonly string[], parent: unknown): void {
  const snake = key.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`).replaceAll("-", "_");
  const likely = keys.includes(snake) ? snake : closest(key, keys);
  const where = path.length === 0 ? "" : ` in ${labelOf(path)}`;
  const explained = context.explainKey(path, key, parent);
  if (explained !== undefined) {
    context.report.error([...path, key], explained.message, { hint: explained.hint, part: "key" });
    return;
  }
  context.unknownKeys.push([...path, key]);
  context.report.error([...path, key], `Unknown key ${quoted(key)}${where}.`, {
    hint: likely === undefined ? `Known keys: ${keys.join(", ")}.` : `Did you mean "${likely}"?`,
    part: "key",
  });
}

function withoutKeys(value: unknown, paths: readonly YamlPath[]): unknown {
  const copy = structuredClone(value);
  for (const path of paths) {
    const parent = path.slice(0, -1).reduce<unknown>(childValue, copy);
    const key = path.at(-1);
    if (typeof parent === "object" && parent !== null && key !== undefined) Reflect.deleteProperty(parent, key);
  }
  return copy;
}
