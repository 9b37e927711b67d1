import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";

/**
 * Fills the placeholders of a script: `{{ sender }}`, or `{{ ballot.id }}` for a part of a value that is JSON. Values
 * are not filled again, so a message that holds `{{ ... }}` stays unchanged.
 */
export type Values = Readonly<Record<string, string>>;

const PLACEHOLDER = /\{\{\s*([\w-]+(?:\.[\w-]+)*)\s*\}\}/g;

/** `escape` is applied to each value. */
export function fillText(
  template: string,
  values: Values,
  escape: (text: string) => string = (text) => text,
): Result<string, Refusal> {
  let unknown: string | undefined;
  const filled = template.replaceAll(PLACEHOLDER, (_match, name: string) => {
    const value = lookUp(name, values);
    if (value === undefined) unknown ??= name;
    return value === undefined ? "" : escape(typeof value === "string" ? value : JSON.stringify(value));
  });
  return unknown === undefined ? ok(filled) : refuseName(unknown, values);
}

/** Fills all texts inside data. A text that is only a placeholder becomes the value itself. */
export function fillData(data: unknown, values: Values): Result<unknown, Refusal> {
  if (typeof data === "string") {
    const whole = new RegExp(`^${PLACEHOLDER.source}$`).exec(data)?.[1];
    if (whole === undefined) return fillText(data, values);
    const value = lookUp(whole, values);
    return value === undefined ? refuseName(whole, values) : ok(value);
  }
  if (typeof data !== "object" || data === null) return ok(data);
  const filled: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(data)) {
    const value = fillData(inner, values);
    if (!value.ok) return value;
    filled.push([key, value.value]);
  }
  return ok(Array.isArray(data) ? filled.map(([, value]) => value) : Object.fromEntries(filled));
}

function lookUp(name: string, values: Values): unknown {
  const [first = "", ...path] = name.split(".");
  const value = Object.hasOwn(values, first) ? values[first] : undefined;
  if (value === undefined || path.length === 0) return value;
  try {
    return path.reduce<unknown>(partOf, JSON.parse(value));
  } catch {
    return undefined;
  }
}

function partOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function refuseName(name: string, values: Values): Result<never, Refusal> {
  return refuse("invalid", `The script uses {{ ${name} }}, which has no value here.`, {
    hint: `Known here: ${Object.keys(values).toSorted().join(", ")}.`,
  });
}
