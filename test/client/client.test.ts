import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WireEvent } from "../../src/client/client.ts";
import { connectToDaemon } from "../../src/client/connect.ts";
import { createClient } from "../../src/client/create-client.ts";
import type { RunEvent } from "../../src/contract/service/work-request.ts";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import { register, registration } from "../support/daemon/registration.ts";
import { startStranger } from "../support/daemon/stranger.ts";
import { value } from "../support/result.ts";
import { eventually } from "../support/team/running-project.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const FILES = { ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n" };

describe("a client of a daemon", () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ files: FILES });
  });
  afterAll(() => daemon[Symbol.asyncDispose]());

  it("calls operations, many at once, and gets refusals as values", async () => {
    const { client } = daemon;
    const asked = Array.from({ length: 30 }, async (_, n) => {
      const message = `question ${n} – naïve 🦊 ${"x".repeat(n * 1000)}`;
      return value(await client.call("send-message", { to: "alice", message })).seq;
    });
    expect(new Set(await Promise.all(asked)).size).toBe(30);
    expect(await client.call("send-message", { to: "nobody", message: "x" })).toMatchObject({
      ok: false,
      error: { code: "not_found", message: expect.stringContaining("nobody"), hint: expect.any(String) },
    });
    expect(await client.call("peek-channel", { target: "alice", limit: -1 })).toMatchObject({
      error: { code: "invalid", details: expect.any(Object) },
    });
    expect(await client.call("show-agent", { name: "../alice" })).toMatchObject({ ok: false });
  });

  it("tells what happens while something is done, and what came of it", async () => {
    const events: RunEvent[] = [];
    for await (const event of daemon.client.run({ agent: "alice", message: "hello" })) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "done", success: true, content: expect.any(String) });
    expect(events.map(({ type }) => type)).toContain("message");
    expect(await daemon.client.serve({ agent: "alice", message: "hello" })).toMatchObject({
      ok: true,
      value: { type: "done", success: true },
    });
    expect(await daemon.client.serve({ agent: "nobody", message: "hello" })).toMatchObject({
      error: { code: "not_found" },
    });
    const refused: RunEvent[] = [];
    for await (const event of daemon.client.run({ agent: "nobody", message: "hello" })) refused.push(event);
    expect(refused).toEqual([expect.objectContaining({ type: "error", code: "not_found" })]);
  });

  it("stops watching when it is told to, and the work goes on", async () => {
    const { client } = daemon;
    const left = new AbortController();
    const watching = (async () => {
      for await (const _event of client.run({ agent: "alice", message: "go on without me" }, left.signal)) left.abort();
    })();
    await expect(watching).rejects.toMatchObject({ name: "AbortError" });
    await eventually("it was answered", async () => {
      const { messages } = value(await client.call("peek-channel", { target: "alice" }));
      return messages.at(-1)?.from === "alice";
    });
  });

  it("is made by programs with one call, by discovery or with an address and a token", async () => {
    using found = await createClient({ home: daemon.home, project: daemon.project });
    using given = await createClient({ url: daemon.url, token: daemon.token, project: daemon.project });
    for (const client of [found, given]) expect(value(await client.call("list-agents", {})).agents).toHaveLength(1);
    expect(found.daemonVersion).toBe((await found.health()).version);
    expect(await found.stopAgent("alice")).toMatchObject({ ok: true });
    expect(await found.stopAgent("nobody")).toMatchObject({ ok: false, error: { code: "not_found" } });
  });
});

describe("the events of a project", () => {
  it("come once and in order, over the end of a daemon and the beginning of the next", async () => {
    await using first = await startTestDaemon({ files: FILES });
    const over = new AbortController();
    const seen: WireEvent[] = [];
    const following = (async () => {
      for await (const event of first.client.events({ since: 0, signal: over.signal })) seen.push(event);
    })();
    value(await first.client.call("send-message", { to: "alice", message: "one" }));
    await eventually("the first is seen", () => seen.length > 0);
    await first.stop("SIGKILL");
    await using second = await first.restart();
    const before = seen.length;
    value(await second.client.call("send-message", { to: "alice", message: "two" }));
    await eventually("it goes on", () => seen.length > before + 2, 20_000);
    await eventually("all is quiet", async () =>
      (await second.client.health()).projects.every(({ pending, running }) => pending + running === 0),
    );
    over.abort();
    await following;
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  });
});

describe("what keeps a daemon from answering", () => {
  it.each([
    ["hangs up", "", /did not answer/],
    ["answers what no daemon would", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<x>", /cannot be read/],
    ["fails without a reason", "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\n{}", /answered 502/],
  ])("is a fault when it %s", async (_what, answer, message) => {
    await using server = await startStranger((socket) => void socket.end(answer));
    using client = await createClient({ url: `http://127.0.0.1:${server.port}`, token: "awr_x" });
    await expect(client.call("list-agents", {})).rejects.toMatchObject({
      code: "daemon_unreachable",
      message: expect.stringMatching(message),
    });
  });

  it("is a fault of its own kind when the daemon says so", async () => {
    const body = '{"error":{"code":"disk_full","message":"The disk is full.","hint":"Free some space."}}';
    await using server = await startStranger(
      (socket) => void socket.end(`HTTP/1.1 503 X\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    using client = await createClient({ url: `http://127.0.0.1:${server.port}`, token: "awr_x" });
    await expect(client.call("list-agents", {})).rejects.toMatchObject({ code: "disk_full", hint: "Free some space." });
  });

  it("does not let a request be sent twice, unless asking twice changes nothing", async () => {
    let broken = false;
    await using server = await startStranger((socket, heard) => {
      if (broken) return void socket.destroy();
      const body = heard.includes("GET /agents") ? '{"agents":[]}' : "{}";
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    });
    using client = await createClient({ url: `http://127.0.0.1:${server.port}`, token: "awr_x" });
    await client.call("list-agents", {});
    expect(server.calls()).toBe(1);
    broken = true;
    await expect(client.call("send-message", { to: "a", message: "once" })).rejects.toMatchObject({
      hint: expect.stringContaining("may or may not"),
    });
    expect(server.heard().match(/POST \/send/g)).toHaveLength(1);
  });
});

describe("starting the daemon", () => {
  it(
    "happens once for many who need it at the same time, and it outlives them [cli.auto-start]",
    { timeout: 60_000 },
    async () => {
      using folder = temporaryFolder();
      const home = folder.in("home");
      const env = { PATH: process.env["PATH"], HOME: folder.path, AGENT_WORKER_HOME: home, AGENT_WORKER_PORT: "0" };
      const told: string[] = [];
      // A stale registration must not keep anybody from it.
      register(home, registration());
      const clients = await Promise.all(
        Array.from({ length: 4 }, () =>
          connectToDaemon({
            env,
            projectDir: folder.path,
            autoStart: true,
            onProgress: (text) => void told.push(text),
          }),
        ),
      );
      const [client] = clients;
      try {
        const pids = await Promise.all(clients.map(async (each) => (await each.health()).pid));
        expect(new Set(pids).size).toBe(1);
        expect(pids[0]).not.toBe(process.pid);
        expect(told[0]).toContain("Starting");
        const again = await connectToDaemon({ env, projectDir: folder.path, autoStart: true });
        expect((await again.health()).pid).toBe(pids[0]);
        again[Symbol.dispose]();
      } finally {
        await client?.shutdown();
        for (const each of clients) each[Symbol.dispose]();
      }
      await expect(connectToDaemon({ env })).rejects.toMatchObject({ code: "daemon_unreachable" });
    },
  );

  it("that fails says what the daemon said", async () => {
    using folder = temporaryFolder();
    const env = {
      PATH: process.env["PATH"],
      HOME: folder.path,
      AGENT_WORKER_HOME: folder.in("home"),
      AGENT_WORKER_PORT: "nonsense",
    };
    await expect(connectToDaemon({ env, projectDir: folder.path, autoStart: true })).rejects.toMatchObject({
      code: "daemon_unreachable",
      message: expect.stringContaining('AGENT_WORKER_PORT is "nonsense"'),
    });
  });
});
