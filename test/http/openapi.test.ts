import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../../src/contract/routes.gen.ts";
import { openHttpRig, type HttpRig } from "../support/daemon/http-rig.ts";

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly $ref?: string;
  }[];
  readonly requestBody?: { readonly content: Record<string, { schema: { properties?: object; required?: string[] } }> };
  readonly responses: Record<
    string,
    { readonly description?: string; readonly content?: Record<string, unknown>; readonly $ref?: string }
  >;
  readonly security?: unknown;
}

let rig: HttpRig;
let document: { openapi: string; info: { version: string }; paths: Record<string, Record<string, Described>> };
beforeAll(async () => {
  rig = await openHttpRig();
  document = (await rig.ask("GET", "/openapi.json")).json as unknown as typeof document;
});
afterAll(() => rig[Symbol.asyncDispose]());

function all(): { readonly place: string; readonly path: string; readonly described: Described }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      place: `${method.toUpperCase()} ${path}`,
      path,
      described,
    })),
  );
}

test("[http.openapi] every route is described, and nothing else", () => {
  const others = [
    "GET /",
    "GET /ui/{file}",
    "POST /ui/codes",
    "POST /ui/pairing-codes",
    "POST /ui/sessions",
    "GET /ui/sessions",
    "DELETE /ui/sessions",
    "DELETE /ui/sessions/{id}",
    "GET /health",
    "POST /shutdown",
    "POST /go-on",
    "GET /openapi.json",
    "POST /run",
    "POST /serve",
    "GET /events",
    "GET /mcp",
    "POST /mcp",
    "DELETE /mcp",
    "POST /agents/{name}/stop",
    "POST /own-proposals/{name}",
  ];
  const operations = routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(
    all()
      .map(({ place }) => place)
      .toSorted(),
  ).toEqual([...operations, ...others].toSorted());
  const ids = all().map(({ described }) => described.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("[http.openapi] it is sound OpenAPI 3.1", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.info.version).toBe("1.2.3");
  for (const { place, path, described } of all()) {
    const inPath = described.parameters.filter((each) => each.in === "path");
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([place, inPath.map(({ name }) => name)]).toEqual([place, named]);
    expect([place, inPath.every(({ required }) => required === true)]).toEqual([place, true]);
    expect([place, described.summary.length > 0, "200" in described.responses]).toEqual([place, true, true]);
    const names = described.parameters.map((each) => `${each.in} ${each.name ?? each.$ref}`);
    expect([place, new Set(names).size]).toEqual([place, names.length]);
    if (place.startsWith("GET") || place.startsWith("DELETE")) expect(described.requestBody).toBeUndefined();
  }
  expect(unresolved(document)).toEqual([]);
});

test("[http.openapi] fields are those of the operation: in the path, the query or the body, and only once", () => {
  const send = document.paths["/send"]?.["post"];
  const sent = send?.requestBody?.content["application/json"]?.schema;
  expect(Object.keys(sent?.properties ?? {})).toEqual(expect.arrayContaining(["to", "message", "idempotencyKey"]));
  expect(sent?.required).toEqual(["message"]);
  const memory = document.paths["/agents/{agent}/memory/{key}"]?.["put"];
  expect(Object.keys(memory?.requestBody?.content["application/json"]?.schema.properties ?? {})).not.toContain("key");
  const channel = document.paths["/channel"]?.["get"]?.parameters ?? [];
  expect(channel.flatMap(({ in: place, name }) => (place === "query" ? [name] : []))).toEqual([
    "target",
    "since",
    "before",
    "limit",
    "find",
    "earlier",
  ]);
  expect(document.paths["/run"]?.["post"]?.responses["200"]?.content).toHaveProperty(["text/event-stream"]);
  expect(document.paths["/health"]?.["get"]?.security).toEqual([{}, { token: [] }]);
});

test("[http.openapi-components] what many routes answer with has a name of its own", () => {
  const { schemas } = (document as unknown as { components: { schemas: Record<string, object> } }).components;
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(["Agent", "Message", "Run", "Usage", "Ballot", "Error"]));
  const runs = document.paths["/runs"]?.["get"]?.responses["200"];
  expect(JSON.stringify(runs)).toContain('{"$ref":"#/components/schemas/Run"}');
});

test("[http.openapi-refusals] each route lists what it may be refused for, by status", () => {
  const refused = (path: string, method: string) =>
    Object.entries(document.paths[path]?.[method]?.responses ?? {}).flatMap(([status, { description }]) =>
      status === "200" ? [] : [`${status} ${description}`],
    );
  expect(refused("/documents/{file}", "put")).toEqual(
    expect.arrayContaining(["401 unauthenticated", "404 not_found", expect.stringMatching(/^409 .*stale_revision/)]),
  );
  expect(refused("/health", "get").some((each) => each.startsWith("404"))).toBe(false);
});

/** References that lead nowhere. */
function unresolved(whole: object, part: unknown = whole): string[] {
  if (typeof part !== "object" || part === null) return [];
  const { $ref } = part as { $ref?: unknown };
  if (typeof $ref === "string") {
    const found = $ref
      .replace(/^#\//, "")
      .split("/")
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], whole);
    return found === undefined ? [$ref] : [];
  }
  return Object.values(part).flatMap((each) => unresolved(whole, each));
}
