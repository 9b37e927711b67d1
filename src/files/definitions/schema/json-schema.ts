import { z } from "zod";
import { agentSchema } from "./agent-schema.ts";
import { projectSchema } from "./project-schema.ts";
import { workflowSchema } from "./workflow-schema.ts";

/** The draft-7 JSON Schemas of the three kinds of file, for editors. Made from the schemas that check the files. */
export const DEFINITION_KINDS = ["agent", "workflow", "project"] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

const SCHEMAS = { agent: agentSchema, workflow: workflowSchema, project: projectSchema };

/** Folder the schemas are written to, relative to the project. */
export const SCHEMA_FOLDER = ".workspace/schema";

export function jsonSchema(kind: DefinitionKind): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[kind], { target: "draft-7", io: "input" });
  return { $schema, $id: `urn:agent-worker:schema:${kind}`, title: `agent-worker ${kind}`, ...schema };
}

/** The first line of a definition: tells editors which schema describes the file. */
export function modeline(kind: DefinitionKind): string {
  const up = kind === "project" ? "" : "../";
  return `# yaml-language-server: $schema=${up}${SCHEMA_FOLDER}/${kind}.json`;
}
