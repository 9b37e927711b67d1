import { z } from "zod";
import { agentSchema } from "./agent-schema.ts";
import { projectSchema } from "./project-schema.ts";
import { workflowSchema } from "./workflow-schema.ts";

/** The draft-7 JSON Schemas of the three kinds of file, for editors. Derived from the schemas that check the files. */
export const DEFINITION_KINDS = ["agent", "workflow", "project"] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

const SCHEMAS = { agent: agentSchema, workflow: workflowSchema, project: projectSchema };

/** The schemas are written to this folder, relative to the project. It is committed, so that a clone has it. */
export const SCHEMA_FOLDER = ".agents/.schema";

export function jsonSchema(kind: DefinitionKind): Schema {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[kind], { target: "draft-7", io: "input" });
  return strict({
    $schema,
    $id: `urn:agent-worker:schema:${kind}`,
    title: `agent-worker ${kind}`,
    ...schema,
  }) as Schema;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Writes out what strict validators want to read: one type at a time, and in a branch that requires a property also the
 * property itself.
 */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const { type, ...schema } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, strict(inner)]),
  ) as Schema;
  const rows = Object.entries(schema).map(([key, inner]) =>
    key === "not"
      ? [key, withRequired(inner, schema["properties"])]
      : (key === "anyOf" || key === "oneOf") && Array.isArray(inner)
        ? [key, inner.map((branch: unknown) => withRequired(branch, schema["properties"]))]
        : [key, inner],
  );
  const whole = Object.fromEntries(rows) as Schema;
  if (!Array.isArray(type)) return type === undefined ? whole : { type, ...whole };
  return { ...whole, anyOf: type.map((each: unknown) => ({ type: each })) };
}

function withRequired(branch: unknown, properties: unknown): unknown {
  if (typeof branch !== "object" || branch === null || !("required" in branch) || "properties" in branch) return branch;
  const known = (typeof properties === "object" ? properties : null) ?? {};
  const names = (branch.required as string[]).filter((name) => Object.hasOwn(known, name));
  const described = names.map((name) => {
    const { description } = (known as Readonly<Record<string, { readonly description?: unknown }>>)[name] ?? {};
    return [name, { description }] as const;
  });
  return { type: "object", ...branch, properties: Object.fromEntries(described) };
}

/** Returns the first line of a definition, which names its schema for editors. */
export function modeline(kind: DefinitionKind): string {
  const folder = { agent: ".schema", workflow: `../${SCHEMA_FOLDER}`, project: SCHEMA_FOLDER }[kind];
  return `# yaml-language-server: $schema=${folder}/${kind}.json`;
}
