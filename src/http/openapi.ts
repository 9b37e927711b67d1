import { z } from "zod";
import { PROJECT_HEADER } from "../contract/service/headers.ts";
import { REFUSAL_ANSWERS } from "../contract/service/errors.ts";
import type { RefusalCode } from "../kernel/refusal.ts";
import { componentNames } from "./component-names.ts";
import { inputSchema, objectForms, type JsonSchema } from "./input-fields.ts";
import type { RouteDescription, ServedRoute } from "./served-route.ts";

/** Returns the body of `GET /openapi.json`: the route table as OpenAPI 3.1. */
export function describeRoutes(rows: readonly ServedRoute[], version: string): JsonSchema {
  const schemas: SharedSchemas = {};
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const row of rows) {
    const path = row.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeRoute(row, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "agent-worker",
      version,
      description: "The daemon that runs teams of AI agents. Every operation is also a command and most are tools.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "A person's token, or a run's." } },
      schemas: { ...schemas, Error: ERROR },
      parameters: { project: PROJECT_PARAMETER },
    },
  };
}

const PROJECT_PARAMETER = {
  name: PROJECT_HEADER,
  in: "header",
  description: "Absolute path of the project folder, percent-encoded. Absent: the daemon's first project.",
  schema: { type: "string" },
};

const ERROR = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string", description: "For programs: what kind of refusal or failure it is." },
        message: { type: "string" },
        hint: { type: "string", description: "What to do next." },
        details: { type: "object" },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

function describeRoute(row: ServedRoute, schemas: SharedSchemas): JsonSchema {
  const { about, method } = row;
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const forms = about.input === undefined ? [] : objectForms(plain(inputSchema(about.input)));
  const fields = Object.assign({}, ...forms.map(({ properties }) => properties)) as Record<string, JsonSchema>;
  const isNeeded = (name: string): boolean => forms.every(({ required }) => required.includes(name));
  const parameter = (name: string, place: "path" | "query"): JsonSchema => {
    const { description, ...schema } = fields[name] ?? { type: "string" };
    const needed = place === "path" || isNeeded(name);
    return { name, in: place, required: needed, schema, ...(description === undefined ? {} : { description }) };
  };
  const otherNames = Object.keys(fields).filter((name) => !inPath.includes(name));
  const takesBody = method === "POST" || method === "PUT";
  return {
    operationId: about.id,
    summary: about.summary,
    parameters: [
      ...inPath.map((name) => parameter(name, "path")),
      ...(takesBody ? [] : otherNames.map((name) => parameter(name, "query"))),
      ...(row.kind === "service" ? [] : [{ $ref: "#/components/parameters/project" }]),
    ],
    ...(takesBody ? bodyOf(row, inPath) : {}),
    responses: { 200: responseOf(about, schemas), ...refusedResponses(row, takesBody) },
    ...(row.kind === "service" && row.access === "anyone" ? { security: [{}, { token: [] }] } : {}),
  };
}

/** What any request may be refused for, besides what its operation says. */
function refusedResponses({ kind, about }: ServedRoute, takesBody: boolean): JsonSchema {
  const codes: readonly RefusalCode[] = [
    "unauthenticated",
    "forbidden",
    ...(about.input === undefined ? [] : (["invalid"] as const)),
    ...(takesBody ? (["too_large"] as const) : []),
    ...(kind === "service" ? [] : (["not_found", "untrusted", "limited"] as const)),
    ...(about.refusals ?? []),
    "unavailable",
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => REFUSAL_ANSWERS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { description: names.toSorted().join(", "), content: { "application/json": { schema: ERROR_REFERENCE } } },
    ]),
  );
}

const ERROR_REFERENCE = { $ref: "#/components/schemas/Error" };

function bodyOf(row: ServedRoute, inPath: readonly string[]): JsonSchema {
  if (row.about.input === undefined) return {};
  const schema = plain(inputSchema(row.about.input));
  const forms = objectForms(schema).map(({ properties, required }) => ({
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.includes(name))),
    required: required.filter((name) => !inPath.includes(name)),
    additionalProperties: false,
  }));
  const [only] = forms;
  const needed = forms.every(({ required }) => required.length > 0);
  const body = forms.length === 1 ? only : { anyOf: forms };
  return { requestBody: { required: needed, content: { "application/json": { schema: body } } } };
}

/** By name: that of a view of the contract, or one that begins with the id of the route. */
type SharedSchemas = Record<string, unknown>;

function responseOf(
  { id, output, mediaType = "application/json" }: RouteDescription,
  schemas: SharedSchemas,
): JsonSchema {
  const { $defs = {}, ...schema } =
    output === undefined
      ? {}
      : plain(z.toJSONSchema(output, { io: "output", unrepresentable: "any", metadata: componentNames }));
  // A reference to the definitions of this schema becomes one to the components of the whole document.
  const nameOf = (name: string): string => (/^[A-Z]/.test(name) ? name : `${id}.${name}`);
  const rooted = (part: unknown): unknown =>
    JSON.parse(
      JSON.stringify(part).replaceAll(
        /"#\/\$defs\/([^"]+)"/g,
        (_, name: string) => `"#/components/schemas/${nameOf(name)}"`,
      ),
    );
  for (const [name, part] of Object.entries($defs as object)) schemas[nameOf(name)] = rooted(plain(part as JsonSchema));
  return { description: "Done.", content: { [mediaType]: { schema: rooted(schema) } } };
}

/** Returns the schema without `$schema`, which only a whole document has, and without the id that named it. */
function plain(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "$schema" && name !== "id"));
}
