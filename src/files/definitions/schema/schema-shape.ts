import type { z } from "zod";

/**
 * Inspects a zod schema: which keys an object may have, and which branch of a union a value was meant for. A mapping
 * belongs to the branch whose required key it has, so that a mistake is reported against the branch the author meant
 * and not against every branch.
 */
export type Schema = z.core.$ZodType;

/** Returns the value at `path` and its schema. A union is returned as a union. */
export function descend(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[],
): { readonly schema: Schema; readonly value: unknown } {
  let at = { schema, value };
  for (const step of path) {
    const parent = branchFor(at.schema, at.value);
    at = { schema: childSchema(parent, step) ?? parent, value: childValue(at.value, step) };
  }
  return at;
}

/** Returns the branch of a union that the value was meant for; any other schema unchanged. */
export function branchFor(schema: Schema, value: unknown): Schema {
  const options = optionsOf(schema);
  return options[chooseOption(options, value)] ?? unwrap(schema);
}

/** Returns the keys of a mapping; empty when the schema is not a mapping with fixed keys. */
export function keysOf(schema: Schema): readonly string[] {
  const { def } = unwrap(schema)._zod;
  return def.type === "object" ? Object.keys(def.shape) : [];
}

export function optionsOf(schema: Schema): readonly Schema[] {
  const { def } = unwrap(schema)._zod;
  return def.type === "union" ? def.options : [];
}

/** Returns the index of the union option that fits the value best, or -1 when none has its type. */
export function chooseOption(options: readonly Schema[], value: unknown): number {
  const fitting = options.flatMap((option, index) => (sameKind(option, value) ? [{ option, index }] : []));
  const score = ({ option }: { readonly option: Schema }): number => {
    const required = requiredKeys(option);
    if (required.length === 0) return 1;
    return required.some((key) => childValue(value, key) !== undefined) ? 2 : 0;
  };
  return fitting.toSorted((a, b) => score(b) - score(a))[0]?.index ?? -1;
}

/** Returns what a schema accepts, as words for a message. */
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
  const typed = schema as z.core.$ZodTypes;
  return typed._zod.def.type === "optional" ? unwrap(typed._zod.def.innerType) : typed;
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

export function childValue(value: unknown, step: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined;
}
