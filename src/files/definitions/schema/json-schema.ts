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

export function jsonSchema(kind: DefinitionKind): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[kind], { target: "draft-7", io: "input" });
  return { $schema, $id: `urn:agent-worker:schema:${kind}`, title: `agent-worker ${kind}`, ...schema };
}

/** Returns the first line of a definition, which names its schema for editors. */
export function modeline(kind: DefinitionKind): string {
  const folder = { agent: ".schema", workflow: `../${SCHEMA_FOLDER}`, project: SCHEMA_FOLDER }[kind];
  return `# yaml-language-server: $schema=${folder}/${kind}.json`;
}
