import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/contract/routes.gen.ts";
import { implementations } from "../../src/operations/registry.gen.ts";
import { openHttpRig, type HttpRig } from "../support/daemon/http-rig.ts";
import { REVIEW } from "../support/team/team.ts";

let rig: HttpRig;
beforeAll(async () => {
  rig = await openHttpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const MESSAGE = { to: "alice", message: "hello" };

describe("where a request was sent and from where (F16)", () => {
  const hosts = (port: number): [string, number][] => [
    [`127.0.0.1:${port}`, 200],
    [`localhost:${port}`, 200],
    [`LOCALHOST:${port}`, 200],
    [`[::1]:${port}`, 200],
    [`evil.example:${port}`, 403],
    [`127.0.0.1.evil.example:${port}`, 403],
    [`localhost.:${port}`, 403],
    ["127.0.0.1", 403],
    ["localhost:1", 403],
    [`127.0.0.1:${port}@evil.example`, 403],
    [`0.0.0.0:${port}`, 403],
  ];

  test("[security.host-origin] only our own names are answered, whoever asks", async () => {
    for (const [host, status] of hosts(rig.port)) {
      const asked = await rig.ask("GET", "/agents", { headers: { host } });
      expect([host, asked.status]).toEqual([host, status]);
    }
    const rebound = await rig.ask("GET", "/health", { token: null, headers: { host: `evil.example:${rig.port}` } });
    expect([rebound.status, rebound.json["status"]]).toEqual([403, undefined]);
    expect(await rig.raw("GET /health HTTP/1.1\r\nconnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await rig.raw("GET /health HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("[security.host-origin] an origin that is not ours is refused before routing, and `null` is not ours", async () => {
    const origins: [string, number][] = [
      [`http://127.0.0.1:${rig.port}`, 200],
      [`http://localhost:${rig.port}`, 200],
      ["null", 403],
      ["https://evil.example", 403],
      [`https://127.0.0.1:${rig.port}`, 403],
      ["http://127.0.0.1:1", 403],
      ["http://127.0.0.1", 403],
      [`http://127.0.0.1:${rig.port}.evil.example`, 403],
      ["", 403],
    ];
    for (const [origin, status] of origins) {
      const asked = await rig.ask("GET", "/agents", { headers: { origin } });
      expect([origin, asked.status]).toEqual([origin, status]);
      const unknown = await rig.ask("GET", "/nowhere", { headers: { origin } });
      expect([origin, unknown.status]).toEqual([origin, status === 200 ? 404 : 403]);
    }
  });

  test("[security.cross-site] a browser says where a request comes from even when it sends no origin", async () => {
    for (const [site, status] of [
      ["cross-site", 403],
      ["same-site", 403],
      ["same-origin", 200],
      ["none", 200],
    ] as const) {
      const asked = await rig.ask("GET", "/agents", { headers: { "sec-fetch-site": site } });
      expect([site, asked.status]).toEqual([site, status]);
    }
  });

  test("[security.cross-site] a page can open no event stream", async () => {
    const headers = { origin: "https://evil.example", accept: "text/event-stream" };
    expect((await rig.ask("GET", "/events", { headers })).status).toBe(403);
    expect((await rig.ask("GET", "/events", { token: null })).status).toBe(401);
    expect((await rig.ask("GET", `/events?token=${rig.token}`, { token: null })).status).toBe(401);
  });

  test("[security.host-origin] no answer has a CORS header, a preflight's neither", async () => {
    const origin = "https://evil.example";
    const preflight = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const answers = await Promise.all([
      rig.ask("OPTIONS", "/send", { token: null, headers: preflight }),
      rig.ask("OPTIONS", "/send"),
      rig.ask("GET", "/health", { token: null }),
      rig.ask("GET", "/agents", { headers: { origin: `http://127.0.0.1:${rig.port}` } }),
      rig.ask("GET", "/"),
      rig.ask("GET", "/nowhere"),
      rig.ask("POST", "/send", { body: MESSAGE, headers: { origin } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 405, 200, 200, 200, 404, 403]);
    const names = answers.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  test("a target that names a whole address, or none, is no path of ours", async () => {
    const head = `host: 127.0.0.1:${rig.port}\r\nauthorization: Bearer ${rig.token}\r\nconnection: close\r\n\r\n`;
    for (const target of [`http://evil.example/agents`, `http://127.0.0.1:${rig.port}/agents`, "*"]) {
      expect(await rig.raw(`OPTIONS ${target} HTTP/1.1\r\n${head}`)).toMatch(/^HTTP\/1\.1 404 /);
    }
  });
});

describe("what a request carries (F16)", () => {
  const post = (type: string | undefined, body: string, more: Record<string, string> = {}) =>
    rig.ask("POST", "/send", {
      headers: { ...(type === undefined ? {} : { "content-type": type }), ...more },
      body,
    });

  test("[security.cross-site] only JSON is understood: nothing a form or a plain fetch can send", async () => {
    const before = (await rig.project.messages("alice")).length;
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain; application/json",
      "application/jsonp",
      "application/json; charset=utf-16",
      "",
    ]) {
      const { status, code } = await post(type, JSON.stringify(MESSAGE));
      expect([type, status, code]).toEqual([type, 415, "invalid"]);
    }
    const untyped = `POST /send HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nauthorization: Bearer ${rig.token}\r\n`;
    const sent = await rig.raw(`${untyped}content-length: 2\r\nconnection: close\r\n\r\n{}`);
    expect(sent).toMatch(/^HTTP\/1\.1 415 /);
    expect((await post("application/json", "{}", { "content-encoding": "gzip" })).status).toBe(415);
    expect((await rig.project.messages("alice")).length).toBe(before);
    for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]) {
      expect([type, (await post(type, JSON.stringify(MESSAGE))).status]).toEqual([type, 200]);
    }
  });

  test("what is refused for its content is refused before the token is looked at, and tells nothing about it", async () => {
    const bad = { headers: { "content-type": "text/plain" }, body: "x" };
    expect((await rig.ask("POST", "/send", { ...bad, token: null })).status).toBe(415);
    expect((await rig.ask("POST", "/nowhere", { ...bad, token: null })).status).toBe(415);
  });

  test("a GET or DELETE takes no body", async () => {
    expect((await rig.ask("GET", "/agents", { body: {} })).status).toBe(400);
    expect((await rig.ask("DELETE", "/agents/carol", { body: {} })).status).toBe(400);
    expect((await rig.ask("GET", "/agents/carol")).status).toBe(200);
  });

  test("[security.cross-site] no GET has an effect: all of them are queries", () => {
    const kinds = new Map(Object.values(implementations).map(({ name, kind }) => [name, kind]));
    const reads = routes.filter(({ method }) => method === "GET").map(({ operation }) => operation);
    expect(reads.filter((name) => kinds.get(name) !== "query")).toEqual([]);
    const queries = Object.values(implementations).flatMap(({ name, kind }) => (kind === "query" ? [name] : []));
    // The text of a file is in the body: it is too long for an address.
    const withText = ["check-definition-file", "draft-agent-file", "draft-workflow-file"];
    expect(queries.toSorted()).toEqual([...reads, ...withText].toSorted());
  });
});

describe("who asks", () => {
  test("[security.token] a token is a bearer token in its header, once and whole", async () => {
    for (const [authorization, status] of [
      [`Bearer ${rig.token}`, 200],
      [`bearer ${rig.token}`, 200],
      [`Bearer ${rig.token} `, 200], // optional space around a header's value is no part of it
      [`Bearer ${rig.token}x`, 401],
      [`Bearer ${rig.token.slice(0, -1)}`, 401],
      [`Bearer ${rig.token}, Bearer ${rig.token}`, 401],
      [`Basic ${Buffer.from(`user:${rig.token}`).toString("base64")}`, 401],
      [rig.token, 401],
      ["Bearer", 401],
      ["Bearer ", 401],
      ["Bearer undefined", 401],
      ["", 401],
    ] as const) {
      const asked = await rig.ask("GET", "/agents", { token: null, headers: { authorization } });
      expect([authorization, asked.status]).toEqual([authorization, status]);
    }
    for (const path of [`/agents?token=${rig.token}`, `/agents?access_token=${rig.token}`]) {
      expect((await rig.ask("GET", path, { token: null })).status).toBe(401);
    }
    const other = {
      "x-api-key": rig.token,
      cookie: `token=${rig.token}`,
      "proxy-authorization": `Bearer ${rig.token}`,
    };
    expect((await rig.ask("GET", "/agents", { token: null, headers: other })).status).toBe(401);
  });

  test("[security.token] a refusal says how to authenticate and not which routes exist", async () => {
    const [known, unknown] = await Promise.all([
      rig.ask("GET", "/agents", { token: null }),
      rig.ask("GET", "/nowhere", { token: null }),
    ]);
    expect(known.status).toBe(401);
    expect(known.headers["www-authenticate"]).toBe('Bearer realm="agent-worker"');
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    const wrong = await rig.ask("GET", "/agents", { token: "wrong" });
    expect(wrong.headers["www-authenticate"]).toContain('error="invalid_token"');
    expect(wrong.text).not.toContain("wrong");
  });

  test("[security.run-token] a run's token is good for its own project only, and only while it is at work", async () => {
    const run = rig.openRun("alice");
    const asked = (headers: Record<string, string> = {}) => rig.ask("GET", "/members", { token: run.token, headers });
    expect((await asked()).status).toBe(200);
    expect((await asked({ "x-agent-worker-project": rig.project.dir })).status).toBe(200);
    expect((await asked({ "x-agent-worker-project": rig.second.dir })).status).toBe(403);
    run[Symbol.dispose]();
    expect((await asked()).status).toBe(401);
  });

  test("[security.run-token] who speaks is the agent of the token, whatever the request says", async () => {
    using run = rig.openRun("bob");
    const claims = { "x-agent": "alice", from: "alice", "mcp-client-name": "alice" };
    const message = "said by whom?";
    const sent = await rig.ask("POST", "/send", { token: run.token, headers: claims, body: { message } });
    expect(sent.status).toBe(200);
    for (const field of ["sender", "from", "agent", "caller", "__proto__"]) {
      const body = `{"message":"x","${field}":"alice"}`;
      const refused = await rig.ask("POST", "/send", { token: run.token, body });
      expect([field, refused.status]).toEqual([field, 400]);
    }
    expect((await rig.ask("POST", "/send?sender=alice", { token: run.token, body: { message } })).status).toBe(400);
    expect(await rig.project.said(REVIEW)).toContain(`bob: ${message}`);
  });
});
