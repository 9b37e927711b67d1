import { z } from "zod";
import { agentSchema } from "./agent-schema.ts";
import { projectSchema } from "./project-schema.ts";
import { workflowSchema } from "./workflow-schema.ts";

/** The draft-7 JSON Schemas of the three kinds of file, for editors. Derived from the schemas that check the files. */
export const DEFINITION_KINDS = ["agent", "workflow", "project"] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

const SCHEMAS = { agent: agentSchema, workflow: workflowSchema, project: projectSchema };

/** The schemas are written to this folder, relative to the project. */
export const SCHEMA_FOLDER = ".workspace/schema";

export function jsonSchema(kind: DefinitionKind): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[kind], { target: "draft-7", io: "input" });
  return { $schema, $id: `urn:agent-worker:schema:${kind}`, title: `agent-worker ${kind}`, ...schema };
}

/** Returns the first line of a definition, which names its schema for editors. */
export function modeline(kind: DefinitionKind): string {
  const up = kind === "project" ? "" : "../";
  return `# yaml-language-server: $schema=${up}${SCHEMA_FOLDER}/${kind}.json`;
}
