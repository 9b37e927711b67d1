import { describe, expect, it } from "vitest";
import { operationRequest } from "../../src/contract/operation-request.ts";
import { routes } from "../../src/contract/routes.gen.ts";
import { implementations } from "../../src/operations/registry.gen.ts";

describe("the request of an operation", () => {
  it("puts the fields of the path into it, and the others into the query or the body", () => {
    expect(operationRequest("show-agent", { name: "a/b ü?" })).toEqual({
      ok: true,
      value: { method: "GET", path: "/agents/a%2Fb%20%C3%BC%3F" },
    });
    expect(operationRequest("peek-channel", { target: "@review", limit: 5, since: undefined })).toEqual({
      ok: true,
      value: { method: "GET", path: "/channel?target=%40review&limit=5" },
    });
    expect(operationRequest("set-memory", { agent: "alice", key: "k", content: "x" })).toEqual({
      ok: true,
      value: { method: "PUT", path: "/agents/alice/memory/k", body: '{"content":"x"}' },
    });
    expect(operationRequest("approve", { id: "apr_1" })).toMatchObject({ value: { method: "POST", body: "{}" } });
    expect(operationRequest("list-deliveries", { a: ["x", "y"], b: [] })).toMatchObject({
      value: { path: "/deliveries?a=x&a=y" },
    });
  });

  it("is refused here when a field of the path is missing, or the operation does not exist", () => {
    expect(operationRequest("show-agent", {})).toMatchObject({
      error: { code: "invalid", message: expect.stringContaining('"name"') },
    });
    expect(operationRequest("show-agent", { name: "" })).toMatchObject({ error: { code: "invalid" } });
    expect(operationRequest("no-such", {})).toMatchObject({ error: { code: "not_found" } });
  });

  it("exists for every operation", () => {
    for (const { name } of Object.values(implementations))
      expect(routes.map(({ operation }) => operation)).toContain(name);
  });
});
