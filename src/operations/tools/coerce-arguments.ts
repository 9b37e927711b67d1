/**
 * Models send numbers and lists as strings, and null for absent fields. Converts such values to the type in the schema;
 * the schema refuses everything else.
 */
export function coerceArguments(schema: Readonly<Record<string, unknown>>, args: unknown): unknown {
  if (args === undefined || args === null) return {};
  if (!isRecord(args)) return args;
  const { properties } = schema;
  const fields = isRecord(properties) ? properties : {};
  const coerced = Object.entries(args).map(([name, value]) => [name, coerceValue(fields[name], value)] as const);
  return Object.fromEntries(coerced.filter(([, value]) => value !== undefined));
}

/** Returns undefined for a field that counts as absent. */
function coerceValue(schema: unknown, value: unknown): unknown {
  const types = typesOf(schema);
  if (value === null) return types.has("null") || types.size === 0 ? null : undefined;
  if (typeof value !== "string" || types.has("string")) return value;
  const text = value.trim();
  if (types.has("integer") || types.has("number")) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : value;
  if (types.has("boolean")) return text === "true" ? true : text === "false" ? false : value;
  if (types.has("array")) return toList(text);
  return value;
}

function typesOf(schema: unknown): ReadonlySet<unknown> {
  if (!isRecord(schema)) return new Set();
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return new Set(anyOf.flatMap((each) => [...typesOf(each)]));
  return new Set(type === undefined ? [] : [type]);
}

function toList(text: string): unknown {
  if (!text.startsWith("[")) return [text];
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return [text];
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
