import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "../../src/contract/routes.gen.ts";
import { REFUSAL_ANSWERS } from "../../src/contract/service/errors.ts";
import { Fault } from "../../src/kernel/fault.ts";
import { createLog } from "../../src/kernel/log.ts";
import { implementations } from "../../src/operations/registry.gen.ts";
import { openHttpRig, type HttpRig } from "../support/daemon/http-rig.ts";
import { eventually } from "../support/team/running-project.ts";

let rig: HttpRig;
const logged: string[] = [];
beforeAll(async () => {
  const log = createLog({
    clock: { now: () => 0 },
    level: "info",
    redactValue: (value) => value,
    sink: (line) => void logged.push(line),
  });
  rig = await openHttpRig({ log });
});
afterAll(() => rig[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) => rig.ask("GET", path, { headers });
const post = (path: string, body: unknown) => rig.ask("POST", path, { body });

test("[http.operations] every operation has exactly one route, and every route an operation", () => {
  expect(routes.map(({ operation }) => operation).toSorted()).toEqual(
    Object.values(implementations)
      .map(({ name }) => name)
      .toSorted(),
  );
  const places = routes.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test("[http.operations] messages: sent once for each key, waiting, acknowledged", async () => {
  const body = { to: "carol@review", message: "please look", idempotencyKey: "k1" };
  const first = await post("/send", body);
  expect(first.json).toMatchObject({ space: "@review:main", recipients: [{ agent: "carol" }], duplicate: false });
  expect((await post("/send", body)).json).toMatchObject({ id: first.json["id"], duplicate: true });
  expect((await get("/channel?target=@review")).json).toMatchObject({ messages: [{ id: first.json["id"] }] });
  expect((await post("/channel/read", { target: "@review" })).json).toMatchObject({
    messages: [{ id: first.json["id"] }],
  });
  const { deliveries } = (await get("/inbox?target=carol")).json as { deliveries: { id: string }[] };
  expect((await get("/deliveries")).text).toContain(deliveries[0]?.id);
});

test("[http.operations] workflows, documents, resources, ballots, schedules, dead letters and figures", async () => {
  expect((await get("/workflows")).text).toContain("@review:main");
  expect((await post("/workflows/open", { workflow: "review", tag: "two" })).json).toMatchObject({
    space: "@review:two",
  });
  expect((await get("/workflows/@review:two")).text).toContain("@review:two");
  expect((await rig.ask("DELETE", "/workflows/@review:two")).status).toBe(200);
  expect((await rig.ask("DELETE", "/workflows/@review:two")).status).toBe(409);

  expect((await post("/documents", { target: "@review", file: "plan.md", content: "one" })).status).toBe(200);
  const { revision } = (await get("/documents/plan.md?target=@review")).json;
  const write = (content: string) =>
    rig.ask("PUT", "/documents/plan.md", { body: { target: "@review", content, revision } });
  expect((await write("two")).status).toBe(200);
  expect([(await write("three")).status, (await write("three")).code]).toEqual([409, "stale_revision"]);
  expect((await post("/documents", { target: "@review", file: "plan.md" })).code).toBe("conflict");

  const resource = await post("/resources", { target: "@review", content: "long" });
  expect((await get(`/resources/${String(resource.json["id"])}`)).json).toMatchObject({ content: "long" });

  const ballot = await post("/proposals", {
    target: "@review",
    type: "decision",
    title: "Tabs?",
    options: ["yes", "no"],
  });
  expect((await get(`/proposals/${String(ballot.json["id"])}`)).json).toMatchObject({ title: "Tabs?", state: "open" });
  expect((await rig.ask("DELETE", `/proposals/${String(ballot.json["id"])}`)).json).toMatchObject({
    state: "cancelled",
  });

  expect((await rig.ask("PUT", "/schedules/alice", { body: { wakeup: "5m" } })).status).toBe(200);
  expect((await get("/schedules")).text).toContain("alice");
  expect((await rig.ask("DELETE", "/schedules/alice")).status).toBe(200);
  expect((await get("/dead")).json).toEqual({ deliveries: [], total: 0 });
  expect((await get("/approvals")).json).toEqual({ approvals: [] });
  expect((await get("/stats")).status).toBe(200);
});

test("[http.agents] agents are created, listed, shown, stopped and deleted", async () => {
  const created = await post("/agents", { name: "dave", backend: "mock", system: "You are dave." });
  expect(created.json).toEqual({ name: "dave", file: ".agents/dave.yaml" });
  expect([(await post("/agents", { name: "dave", backend: "mock", system: "x" })).status]).toEqual([409]);
  expect((await get("/agents")).text).toContain('"dave"');
  expect((await get("/agents/dave")).json).toMatchObject({ name: "dave", backend: "mock", source: "file" });

  await post("/send", { to: "dave", message: "work" });
  await eventually("dave works", () => rig.project.runtime.loops.state("dave").kind === "running");
  expect((await post("/agents/dave/stop", {})).json).toEqual({ name: "dave", state: "stopped" });
  expect(rig.project.runtime.loops.state("dave").kind).toBe("stopped");
  expect((await post("/agents/helper@review/stop", {})).status).toBe(200);
  expect(rig.project.runtime.loops.state("helper@review:main").kind).toBe("stopped");
  for (const name of ["nobody", "nobody@review", "alice@nowhere"]) {
    expect([name, (await post(`/agents/${name}/stop`, {})).status]).toEqual([name, 404]);
  }
  expect((await post("/agents/@review/stop", {})).status).toBe(400);

  expect((await rig.ask("DELETE", "/agents/dave")).status).toBe(200);
  expect([(await get("/agents/dave")).status, (await get("/agents/dave")).code]).toEqual([404, "not_found"]);
});

test("[http.project-header] the project is the one that is named, by any of its paths, or the first", async () => {
  const header = (dir: string) => ({ "x-agent-worker-project": dir });
  await rig.ask("POST", "/ephemeral-agents", {
    body: { name: "only-here", backend: "mock", system: "x" },
    headers: header(rig.second.dir),
  });
  expect((await get("/agents/only-here", header(rig.second.dir))).status).toBe(200);
  expect((await get("/agents/only-here", header(encodeURIComponent(rig.second.dir)))).status).toBe(200);
  expect(
    (await get("/agents/only-here", header(`${rig.second.dir}/../${rig.second.dir.split("/").at(-1)}`))).status,
  ).toBe(200);
  expect((await get("/agents/only-here")).status).toBe(404);
  expect((await get("/agents/only-here", header(rig.project.dir))).status).toBe(404);
  for (const [dir, status] of [
    ["relative/path", 400],
    ["", 400],
    ["%", 400],
    ["%00", 400],
    ["/no/such/folder", 404],
    [`${rig.project.dir}/.agents/alice.yaml`, 400],
  ] as const) {
    expect([dir, (await get("/agents", header(dir))).status]).toEqual([dir, status]);
  }
});

describe("errors", () => {
  test("[http.errors] have the written shape, the status of their code, and say what to do", async () => {
    const { status, headers, json } = await post("/send", { to: "alcie", message: "x" });
    expect([status, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
    expect(json).toEqual({
      error: {
        code: "not_found",
        message: 'There is no agent called "alcie".',
        hint: expect.stringContaining('Did you mean "alice"?') as string,
        details: { kind: "agent", name: "alcie" },
      },
    });
    const statuses = {
      invalid: 400,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      not_running: 409,
      not_participant: 422,
      untrusted: 403,
      conflict: 409,
      lease_lost: 409,
      stale_revision: 409,
      closed: 409,
      too_large: 413,
      budget_exhausted: 422,
      failed: 422,
      limited: 429,
      unavailable: 503,
    };
    expect(Object.fromEntries(Object.entries(REFUSAL_ANSWERS).map(([code, answer]) => [code, answer.status]))).toEqual(
      statuses,
    );
    for (const [to, wanted] of [
      ["@nowhere", [409, "not_running"]],
      ["dora@review", [422, "not_participant"]],
      ["a b", [400, "invalid"]],
    ] as const) {
      const refused = await post("/send", { to, message: "x" });
      expect([refused.status, refused.code]).toEqual(wanted);
    }
  });

  test("[http.errors] a fault of the world is told as it is, a bug without its insides, and both are in the log", async () => {
    const { system } = rig.project;
    const original = system.call;
    const failing = async (error: Error) => {
      Object.assign(system, { call: () => Promise.reject(error) });
      try {
        return await get("/agents");
      } finally {
        Object.assign(system, { call: original });
      }
    };
    const fault = await failing(new Fault("disk_full", "The disk is full.", { hint: "Make room." }));
    expect([fault.status, fault.json]).toEqual([
      503,
      { error: { code: "disk_full", message: "The disk is full.", hint: "Make room." } },
    ]);
    const bug = await failing(new TypeError("secret insides"));
    expect([bug.status, bug.code]).toEqual([500, "internal"]);
    expect(bug.text).not.toMatch(/secret insides|TypeError|\.ts/);
    expect(logged.filter((line) => line.includes("a request met a bug"))).toHaveLength(1);
    expect((await get("/agents")).status).toBe(200);
  });
});
