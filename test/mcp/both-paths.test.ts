import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failure, recordingTools } from "../../src/testing/recording-tools.ts";
import { openMcpRig, REVIEW, type McpRig, type Posted } from "../support/daemon/mcp-rig.ts";

/** What is answered directly, and what the official library answers, must be the same to any client. */
let rig: McpRig;
let token: string;
beforeAll(async () => {
  rig = await openMcpRig();
  const tools = recordingTools({
    echo: (args) => ({ kind: "result", content: JSON.stringify(args), isError: false, structured: { args } }),
    plain: () => ({ kind: "result", content: "just words", isError: false }),
    list: () => ({ kind: "result", content: "a list", isError: false, structured: [1, 2] }),
    fails: () => failure("It did not work. Try echo."),
    breaks: () => {
      throw new Error("inside");
    },
  });
  const caller = {
    kind: "agent",
    name: "alice",
    space: REVIEW,
    run: null,
    cause: null,
    operations: new Set<string>(),
  } as const;
  token = rig.open({ caller, tools }).token;
});
afterAll(() => rig[Symbol.asyncDispose]());

const VERSION = "2026-07-28";
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};
/** No client sends it, and it changes nothing: but the direct way does not know it. */
const UNUSUAL = { "test/unusual": true };

interface Asked {
  readonly id: unknown;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const REQUESTS: readonly Asked[] = [
  { id: 0, method: "tools/list" },
  { id: "a string", method: "tools/list", params: {} },
  {
    id: 1,
    method: "tools/call",
    params: { name: "echo", arguments: { text: "ünï\u2028 😀", deep: { n: [1, null] } } },
  },
  { id: -7, method: "tools/call", params: { name: "echo" } },
  { id: 2, method: "tools/call", params: { name: "plain", arguments: {} } },
  { id: 3, method: "tools/call", params: { name: "list", arguments: {} } },
  { id: 4, method: "tools/call", params: { name: "fails", arguments: {} } },
  { id: 5, method: "tools/call", params: { name: "breaks", arguments: {} } },
  { id: 6, method: "tools/call", params: { name: "eko", arguments: {} } },
];

function ask(asked: Asked, era: "2025" | "2026", meta: Record<string, unknown> = {}): Promise<Posted> {
  const { id, method, params } = asked;
  const modern = era === "2026";
  const all = { ...(modern ? ENVELOPE : {}), ...meta };
  const withMeta = Object.keys(all).length === 0 ? params : { ...params, _meta: all };
  const name = params?.["name"];
  const headers = modern
    ? {
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
        ...(typeof name === "string" ? { "mcp-name": name } : {}),
      }
    : { "mcp-protocol-version": "2025-11-25" };
  const message = { jsonrpc: "2.0", id, method, ...(withMeta === undefined ? {} : { params: withMeta }) };
  return rig.post(token, message, headers);
}

describe("[mcp.both-eras] both ways give the same answer", () => {
  for (const era of ["2025", "2026"] as const) {
    test.each(REQUESTS)(`${era}: $method $params.name`, async (asked) => {
      const direct = await ask(asked, era);
      const library = await ask(asked, era, UNUSUAL);
      expect(direct.message).toEqual(library.message);
      expect(direct.status).toBe(library.status);
      expect(direct.type).toMatch(/^application\/json/);
    });
  }

  test("the direct way is the one that plain requests take", async () => {
    const [, , asked] = REQUESTS;
    if (asked === undefined) throw new Error("no request");
    expect((await ask(asked, "2025")).type).toMatch(/json/);
    expect((await ask(asked, "2025", UNUSUAL)).type).toMatch(/event-stream/);
  });
});

describe("what is wrong with a request is told by the library", () => {
  const good = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "plain", arguments: {} } };
  const modern = { ...good, params: { ...good.params, _meta: ENVELOPE } };
  const modernHeaders = { "mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "plain" };
  test.each([
    ["no JSON", "{", {}, 400],
    ["an empty body", "", {}, 400],
    ["an empty batch", [], {}, 400],
    ["a version nobody has", good, { "mcp-protocol-version": "1999-01-01" }, 400],
    ["a client that takes no streams", good, { accept: "application/json" }, 406],
    ["the new version without its envelope", good, { "mcp-protocol-version": VERSION }, 400],
    ["a method header that says otherwise", modern, { ...modernHeaders, "mcp-method": "tools/list" }, 400],
    ["a name header that says otherwise", modern, { ...modernHeaders, "mcp-name": "fails" }, 400],
    ["no name header", modern, { "mcp-protocol-version": VERSION, "mcp-method": "tools/call" }, 400],
    ["a version header that says otherwise", modern, { ...modernHeaders, "mcp-protocol-version": "2025-11-25" }, 400],
    ["not JSON-RPC", { id: 1, method: "tools/list" }, {}, 400],
  ])("%s", async (_what, body, headers, status) => {
    const answer = await rig.post(token, body, headers);
    expect(answer.status).toBe(status);
    expect(answer.message).toMatchObject({ jsonrpc: "2.0", error: { code: expect.any(Number) } });
  });

  test("arguments that are no object, an id that is no id", async () => {
    const list = { ...good, params: { name: "plain", arguments: [1] } };
    expect((await rig.post(token, list)).message).toMatchObject({ error: { code: expect.any(Number) } });
    expect((await rig.post(token, { ...good, id: null })).message).toMatchObject({ error: {} });
    expect((await rig.post(token, { ...good, id: 1.5 })).message).toHaveProperty("error");
  });

  test("a batch of the earliest clients is answered", async () => {
    const answer = await rig.post(token, [good], { "mcp-protocol-version": "2025-03-26" });
    expect(JSON.stringify(answer.message)).toContain("just words");
  });
});

test("keys that reach into prototypes are only keys", async () => {
  const body =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"x":1}}}}';
  const answer = await rig.post(token, body);
  expect(JSON.stringify(answer.message)).toContain("__proto__");
  expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  const method = await rig.post(token, { jsonrpc: "2.0", id: 1, method: "constructor" });
  expect(method.message).toMatchObject({ error: { code: -32601 } });
});
