import { createHmac } from "node:crypto";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { healthView } from "../../src/contract/service/health.ts";
import { openHttpRig, type HttpRig } from "../support/daemon/http-rig.ts";
import { eventually } from "../support/team/running-project.ts";

let rig: HttpRig;
beforeAll(async () => {
  rig = await openHttpRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

describe("health", () => {
  test("[http.health] tells anybody the status and nothing else", async () => {
    const { status, json, headers } = await rig.ask("GET", "/health", { token: null });
    expect([status, json]).toEqual([200, { status: "ready" }]);
    expect(headers["x-agent-worker-proof"]).toBeUndefined();
  });

  test("[http.health] gives a person pid, uptime and counts", async () => {
    expect((await rig.ask("GET", "/agents")).status).toBe(200);
    await rig.project.send("bob", "wait for it");
    const health = async () => healthView.parse((await rig.ask("GET", "/health")).json);
    await eventually("bob works", async () => (await health()).projects[0]?.running === 1);
    const view = await health();
    expect(view).toMatchObject({
      status: "ready",
      problems: [],
      instance: "own_test",
      version: "1.2.3",
      pid: process.pid,
    });
    const [first] = view.projects;
    expect(first).toMatchObject({ dir: rig.project.dir, agents: 3, loops: 1, running: 1, dead: 0, lostCommits: 0 });
    expect(view.agents).toBe(view.projects.reduce((sum, { agents }) => sum + agents, 0));
    expect(view.clients).toEqual({ events: 0, runTokens: 0 });
    using _run = rig.openRun("alice");
    const socket = connect(rig.port, "127.0.0.1");
    socket.write(`GET /events HTTP/1.1\r\nhost: 127.0.0.1:${rig.port}\r\nauthorization: Bearer ${rig.token}\r\n\r\n`);
    const clients = async () => healthView.parse((await rig.ask("GET", "/health")).json).clients;
    await eventually("the stream is counted", async () => (await clients()).events === 1);
    expect((await clients()).runTokens).toBe(1);
    socket.destroy();
    await eventually("and no longer", async () => (await clients()).events === 0);
  });

  test("[http.health] answers a challenge with what only the daemon of this token can know", async () => {
    const nonce = "0123456789abcdef0123456789abcdef";
    const asked = await rig.ask("GET", "/health", { token: null, headers: { "x-agent-worker-challenge": nonce } });
    expect(asked.json).toEqual({ status: "ready" });
    expect(asked.headers["x-agent-worker-proof"]).toBe(createHmac("sha256", rig.token).update(nonce).digest("hex"));
    for (const bad of ["", "short", "x".repeat(129), "0123456789abcde\u00e9"]) {
      const refused = await rig.ask("GET", "/health", { token: null, headers: { "x-agent-worker-challenge": bad } });
      expect([bad, refused.status, refused.headers["x-agent-worker-proof"]]).toEqual([bad, 400, undefined]);
    }
  });
});

describe("every answer", () => {
  test("names the version and invites no browser to keep or guess it", async () => {
    const answers = await Promise.all([
      rig.ask("GET", "/health", { token: null }),
      rig.ask("GET", "/agents"),
      rig.ask("GET", "/agents/nobody"),
      rig.ask("GET", "/nowhere"),
      rig.ask("GET", "/agents", { token: null }),
      rig.ask("GET", "/agents", { headers: { host: "evil.example" } }),
      rig.ask("GET", "/events"),
      rig.ask("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "ping" } }),
    ]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        "x-agent-worker-version": "1.2.3",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
    }
  });

  test("to HEAD is that to GET without its body, except where GET is a stream", async () => {
    const [get, head] = await Promise.all([rig.ask("GET", "/agents/alice"), rig.ask("HEAD", "/agents/alice")]);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    for (const path of ["/events", "/mcp"]) expect((await rig.ask("HEAD", path)).status).toBe(405);
  });

  test("[http.errors] an unknown route is 404, a known one with another method 405 with what it takes", async () => {
    for (const path of ["/nowhere", "/agents/", "//agents", "/agents/alice/nothing", "/Agents", "/agents/alice/"]) {
      expect([path, (await rig.ask("GET", path)).status]).toEqual([path, 404]);
    }
    for (const [method, path, allow] of [
      ["PUT", "/agents", "GET, POST, HEAD"],
      ["PATCH", "/agents/alice", "GET, DELETE, HEAD"],
      ["GET", "/send", "POST"],
      ["TRACE", "/send", "POST"],
      ["POST", "/health", "GET, HEAD"],
      ["PUT", "/mcp", "GET, POST, DELETE"],
    ] as const) {
      const { status, headers } = await rig.ask(method, path);
      expect([path, status, headers.allow?.split(", ").toSorted()]).toEqual([path, 405, allow.split(", ").toSorted()]);
    }
  });
});

describe("the phases of the daemon", () => {
  test("[http.draining] while it starts or stops, requests are 503 with Retry-After, and health says why", async () => {
    try {
      for (const phase of ["starting", "draining"] as const) {
        rig.enter(phase);
        for (const [method, path] of [
          ["GET", "/agents"],
          ["GET", "/events"],
          ["POST", "/mcp"],
          ["POST", "/run"],
        ] as const) {
          const { status, code, headers } = await rig.ask(method, path, method === "POST" ? { body: {} } : {});
          expect([phase, path, status, code, headers["retry-after"]]).toEqual([phase, path, 503, "unavailable", "1"]);
        }
        expect((await rig.ask("GET", "/agents", { token: null })).status).toBe(401);
        expect((await rig.ask("GET", "/health", { token: null })).json).toEqual({ status: phase });
      }
    } finally {
      rig.enter("ready");
    }
    expect((await rig.ask("GET", "/agents")).status).toBe(200);
  });

  test("[http.shutdown] a person asks it to stop, and has the answer before it does", async () => {
    using run = rig.openRun("alice");
    expect((await rig.ask("POST", "/shutdown", { token: run.token })).status).toBe(403);
    expect(rig.shutdowns()).toBe(0);
    const { status, json } = await rig.ask("POST", "/shutdown");
    expect([status, json]).toEqual([200, { status: "draining" }]);
    await eventually("it was asked to stop", () => rig.shutdowns() === 1);
  });

  test("[http.health] a problem makes it degraded, and it is told in words", async () => {
    await using own = await openHttpRig();
    own.degrade("The disk is full.");
    expect((await own.ask("GET", "/health", { token: null })).json).toEqual({ status: "degraded" });
    expect((await own.ask("GET", "/health")).json).toMatchObject({ problems: ["The disk is full."] });
  });

  test("[http.draining] closing answers what is under way, ends what stays open, and takes nothing new", async () => {
    await using own = await openHttpRig({ timeouts: { closing: 60_000 } });
    const events = own.raw(
      `GET /events HTTP/1.1\r\nhost: 127.0.0.1:${own.port}\r\nauthorization: Bearer ${own.token}\r\n\r\n`,
    );
    const streams = async () => healthView.parse((await own.ask("GET", "/health")).json).clients.events;
    await eventually("the stream is open", async () => (await streams()) === 1);
    const idle = connect(own.port, "127.0.0.1").on("error", () => {});
    const sent = Array.from({ length: 20 }, (_, i) =>
      own.ask("POST", "/send", { body: { to: "carol", message: `m${i}` } }),
    );
    await Promise.race(sent);
    await own.close();
    const statuses = (await Promise.allSettled(sent)).flatMap((each) =>
      each.status === "fulfilled" ? [each.value.status] : [],
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await events).toContain("event: closing");
    await eventually("nobody is connected", () => idle.resume().destroyed);
    await expect(own.ask("GET", "/health")).rejects.toThrow("ECONNREFUSED");
  });
});
