import { z } from "zod";

/**
 * The fields that an operation takes, and how to read each from the text of a path or a query. Derived from the schema
 * of the operation.
 */
export type FieldKind = "text" | "number" | "boolean" | "list";
export type InputFields = ReadonlyMap<string, FieldKind>;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One of the objects a schema allows. */
export interface ObjectForm {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

export function inputFields(input: z.ZodType): InputFields {
  const properties = objectForms(inputSchema(input)).flatMap((form) => Object.entries(form.properties));
  return new Map(properties.map(([name, schema]) => [name, kindOf(schema)]));
}

export function inputSchema(input: z.ZodType): JsonSchema {
  return z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
}

export function objectForms(schema: JsonSchema): ObjectForm[] {
  const { properties, required, anyOf, oneOf } = schema;
  if (isSchema(properties)) return [{ properties: schemasIn(properties), required: namesIn(required) }];
  return [anyOf, oneOf].flatMap((forms) => (Array.isArray(forms) ? forms : [])).flatMap(objectForms);
}

function kindOf({ type }: JsonSchema): FieldKind {
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean") return "boolean";
  return type === "array" ? "list" : "text";
}

function schemasIn(properties: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, isSchema(each) ? each : {}]));
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
