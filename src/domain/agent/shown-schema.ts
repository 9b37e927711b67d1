/**
 * Limits that a model is not told: they cost tokens in every prompt, a refusal names them when they matter, and a tool
 * refuses unknown fields by name.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "minimum",
  "exclusiveMinimum",
  "additionalProperties",
]);

/** Returns the JSON Schema of a tool's input as models see it. */
export function shownSchema(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !LEFT_OUT.has(key) && value !== "" && !(key === "maximum" && value === Number.MAX_SAFE_INTEGER),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === "properties" ? shownFields(value) : shownValue(key, value)]),
  );
}

/** The keys of `properties` are names of fields, whatever they are. */
function shownFields(fields: unknown): unknown {
  if (!isRecord(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, shownValue(name, field)]));
}

function shownValue(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => (isRecord(each) ? shownSchema(each) : each));
  return isRecord(value) && key !== "default" ? shownSchema(value) : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
