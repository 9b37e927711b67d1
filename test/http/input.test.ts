import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHttpRig, type HttpRig } from "../support/daemon/http-rig.ts";
import { REVIEW } from "../support/team/team.ts";

let rig: HttpRig;
beforeAll(async () => {
  rig = await openHttpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("fields of path, query and body", () => {
  test("text of a query becomes what the field holds", async () => {
    for (let i = 1; i <= 3; i += 1) await rig.ask("POST", "/send", { body: { to: "carol", message: `m${i}` } });
    const read = async (query: string): Promise<unknown[]> => {
      const { messages } = (await rig.ask("GET", `/channel?target=carol${query}`)).json as { messages: unknown[] };
      return messages;
    };
    expect(await read("")).toHaveLength(3);
    expect(await read("&limit=2")).toHaveLength(2);
    expect(await read("&find=m2")).toHaveLength(1);
    for (const bad of ["0", "x", "", "1.5", "1e3", "0x10", "NaN", "-1", "9999999999999999999"]) {
      const refused = await rig.ask("GET", `/channel?target=carol&limit=${bad}`);
      expect([bad, refused.status, refused.code]).toEqual([bad, 400, "invalid"]);
    }
    for (const [all, status] of [
      ["true", 200],
      ["false", 200],
      ["1", 200],
      ["0", 200],
      ["yes", 400],
      ["", 400],
    ] as const) {
      expect([all, (await rig.ask("GET", `/agents/alice/todos?all=${all}`)).status]).toEqual([all, status]);
    }
  });

  test("names in a path may hold anything once they are encoded", async () => {
    const created = await rig.ask("POST", "/documents", { body: { target: "@review", file: "plans/week 1.md" } });
    expect(created.status).toBe(200);
    const path = "/documents/plans%2Fweek%201.md";
    const written = await rig.ask("PUT", path, { body: { target: "@review", content: "Größe" } });
    expect(written.status).toBe(200);
    const read = await rig.ask("GET", `${path}?target=${encodeURIComponent(REVIEW)}`);
    expect(read.json).toMatchObject({ file: "plans/week 1.md", content: "Größe" });
    expect((await rig.ask("GET", "/agents/%ff")).status).toBe(400);
    expect((await rig.ask("GET", "/agents/%")).status).toBe(400);
    for (const name of ["..%2f..%2fetc", "%2e%2e", "%00", "a%0ab"]) {
      expect([name, (await rig.ask("GET", `/agents/${name}`)).status]).toEqual([name, 404]);
    }
    const outside = await rig.ask("GET", "/documents/..%2F..%2F..%2Fdaemon.json?target=@review");
    expect([outside.status, outside.code]).toEqual([400, "invalid"]);
  });

  test("a field that nobody knows is named, with the one that was probably meant", async () => {
    const query = await rig.ask("GET", "/channel?target=carol&limt=2");
    expect([query.status, query.message]).toEqual([400, 'There is no field "limt" here.']);
    expect(query.text).toContain('Did you mean \\"limit\\"?');
    const body = await rig.ask("POST", "/send", { body: { to: "carol", mesage: "x" } });
    expect([body.status, body.message]).toEqual([400, 'There is no field "mesage" here.']);
    expect((await rig.ask("GET", "/agents?all=1")).status).toBe(400);
    expect((await rig.ask("GET", "/events?al=1")).status).toBe(400);
  });

  test("a field that is given twice is nobody's guess", async () => {
    const twice = [
      rig.ask("GET", "/channel?target=carol&target=alice"),
      rig.ask("GET", "/agents/alice?name=bob"),
      rig.ask("PUT", "/agents/alice/memory/k", { body: { key: "other", value: "v" } }),
      rig.ask("POST", "/send?to=alice", { body: { to: "bob", message: "x" } }),
    ];
    for (const { status, message } of await Promise.all(twice)) {
      expect([status, message]).toEqual([400, expect.stringContaining("is given twice")]);
    }
    const list = await rig.ask("POST", "/inbox/ack?ids=dlv_1&ids=dlv_2,dlv_3&agent=alice", { body: {} });
    expect(list.text).toMatch(/dlv_[123]/);
    expect(list.status).toBe(404);
  });

  test("a body is a JSON object in UTF-8, and says what is wrong when it is not", async () => {
    for (const body of ["", "[]", "null", "1", '"x"', "{", "{'to':'a'}", '{"to":"alice"}x', "\ufeff{}", "{}\n{}"]) {
      const { status, code } = await rig.ask("POST", "/send", { body });
      expect([body, status, code]).toEqual([body, 400, "invalid"]);
    }
    const head = `POST /send HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nauthorization: Bearer ${rig.token}\r\n`;
    const invalid = Buffer.concat([
      Buffer.from('{"to":"alice","message":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const more = `content-type: application/json\r\nconnection: close\r\ncontent-length: ${invalid.length}\r\n\r\n`;
    expect(await rig.raw(Buffer.concat([Buffer.from(head + more), invalid]))).toMatch(/^HTTP\/1\.1 400 [^]*UTF-8/);
  });

  test("nothing in a body reaches a prototype", async () => {
    for (const body of [
      '{"to":"alice","message":"x","__proto__":{"polluted":true}}',
      '{"to":"alice","message":"x","constructor":{"prototype":{"polluted":true}}}',
      '{"__proto__":{"to":"alice","message":"x"}}',
    ]) {
      expect([body, (await rig.ask("POST", "/send", { body })).status]).toEqual([body, 400]);
    }
    expect((await rig.ask("GET", "/channel?target=carol&__proto__[polluted]=1")).status).toBe(400);
    expect((await rig.ask("GET", "/channel?target=carol&__proto__=1")).status).toBe(400);
    const nested =
      '{"target":"@review","type":"decision","title":"t","options":[{"label":"a","__proto__":{"id":"x"}},"b"]}';
    expect((await rig.ask("POST", "/proposals", { body: nested })).status).toBe(200);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("polluted");
  });

  test("a body that is nested without end is refused like any other", async () => {
    const deep = `{"to":${"[".repeat(30_000)}${"]".repeat(30_000)},"message":"x"}`;
    const { status, code } = await rig.ask("POST", "/proposals", { body: deep });
    expect([status, code]).toEqual([400, "invalid"]);
    const known = `{"target":"@review","type":"decision","title":"t","options":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    expect((await rig.ask("POST", "/proposals", { body: known })).status).toBe(400);
  });

  test("what comes back cannot be made into a header", async () => {
    const injected = await rig.ask("GET", "/agents/x%0d%0ax-injected:%201");
    expect(injected.headers["x-injected"]).toBeUndefined();
    const nonce = { "x-agent-worker-challenge": "a b" };
    expect((await rig.ask("GET", "/health", { headers: nonce })).status).toBe(400);
    const raw = `GET /agents HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nx-bad: a\rb\r\nconnection: close\r\n\r\n`;
    expect(await rig.raw(raw)).toMatch(/^HTTP\/1\.1 400 /);
  });
});
