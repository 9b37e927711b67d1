import type { z } from "zod";

/**
 * Looks inside a zod schema, to say which keys an object may have and which branch of a union a value was meant for.
 * A value that could be several kinds of mapping is taken for the one whose required key it has, so that a mistake is
 * reported against what its author meant and not against every alternative.
 */
export type Schema = z.core.$ZodType;

/** What `path` leads to below `value`, and its schema, in which a union is still a union. */
export function descend(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[],
): { readonly schema: Schema; readonly value: unknown } {
  let at = { schema, value };
  for (const step of path) {
    const parent = meant(at.schema, at.value);
    at = { schema: childSchema(parent, step) ?? parent, value: childValue(at.value, step) };
  }
  return at;
}

/** The branch of a union that the value was meant for; any other schema as it is. */
export function meant(schema: Schema, value: unknown): Schema {
  const options = optionsOf(schema);
  return options[chooseOption(options, value)] ?? unwrap(schema);
}

/** The keys a mapping may have, or none when it is not a mapping of known keys. */
export function keysOf(schema: Schema): readonly string[] {
  const { def } = unwrap(schema)._zod;
  return def.type === "object" ? Object.keys(def.shape) : [];
}

export function optionsOf(schema: Schema): readonly Schema[] {
  const { def } = unwrap(schema)._zod;
  return def.type === "union" ? def.options : [];
}

/** Index of the option of a union that fits the kind of the value best, or -1 when none is of its kind. */
export function chooseOption(options: readonly Schema[], value: unknown): number {
  const fitting = options.flatMap((option, index) => (sameKind(option, value) ? [{ option, index }] : []));
  const score = ({ option }: { readonly option: Schema }): number => {
    const required = requiredKeys(option);
    if (required.length === 0) return 1;
    return required.some((key) => childValue(value, key) !== undefined) ? 2 : 0;
  };
  return fitting.toSorted((a, b) => score(b) - score(a))[0]?.index ?? -1;
}

/** What a schema takes, in words for a sentence. */
export function kindOf(schema: Schema): string {
  const { def } = unwrap(schema)._zod;
  switch (def.type) {
    case "string":
    case "enum":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
    case "record":
      return "a mapping";
    case "union":
      return [...new Set(def.options.map(kindOf))].filter((kind) => kind !== "nothing").join(" or ");
    case "null":
      return "nothing";
    default:
      return "another value";
  }
}

function unwrap(schema: Schema): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes;
  return known._zod.def.type === "optional" ? unwrap(known._zod.def.innerType) : known;
}

function sameKind(schema: Schema, value: unknown): boolean {
  const { type } = unwrap(schema)._zod.def;
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (typeof value === "object") return type === "object" || type === "record";
  return type === typeof value;
}

function requiredKeys(schema: Schema): readonly string[] {
  const { def } = unwrap(schema)._zod;
  if (def.type !== "object") return [];
  return Object.entries(def.shape).flatMap(([key, field]) => (field._zod.optin === "optional" ? [] : [key]));
}

function childSchema(schema: Schema, step: PropertyKey): Schema | undefined {
  const { def } = unwrap(schema)._zod;
  if (def.type === "object") return def.shape[String(step)];
  if (def.type === "record") return def.valueType;
  return def.type === "array" ? def.element : undefined;
}

function childValue(value: unknown, step: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined;
}
