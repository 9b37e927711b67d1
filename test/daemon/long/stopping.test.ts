import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import type { RunEvent } from "../../../src/contract/service/work-request.ts";
import { openDaemon } from "../../../src/daemon/daemon.ts";
import type { Engine } from "../../../src/ports/engine.ts";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { processGone } from "../../support/process/process-gone.ts";
import { value } from "../../support/result.ts";
import { eventually } from "../../support/team/running-project.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const ALICE = "name: alice\nbackend: mock\nmodel: scripts/alice.yaml\nprompt: { system: You are alice. }\n";
const SLOW = "- repeat: true\n  steps:\n    - delay: 10m\n    - say: too late\n";
const QUICK = "- repeat: true\n  steps:\n    - say: done\n";
const slowTeam = { files: { ".agents/alice.yaml": ALICE, "scripts/alice.yaml": SLOW } };

const heard = async ({ client }: TestDaemon): Promise<string[]> =>
  value(await client.call("peek-channel", { target: "alice" })).messages.map(
    ({ from, content }) => `${from}: ${content}`,
  );

const isAtWork = (daemon: TestDaemon) =>
  eventually("alice is at work", async () =>
    (await daemon.client.health()).projects.some(({ running }) => running > 0),
  );

describe("a daemon that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "by %s parks what is under way, and the next one goes on with it [daemon.signals]",
    async (signal) => {
      await using daemon = await startTestDaemon(slowTeam);
      value(await daemon.client.call("send-message", { to: "alice", message: "please" }));
      await isAtWork(daemon);
      expect(await daemon.stop(signal)).toBe(0);
      expect(existsSync(`${daemon.home}/daemon.json`)).toBe(false);
      daemon.write("scripts/alice.yaml", QUICK);
      await using next = await daemon.restart();
      await eventually("alice answers", async () => (await heard(next)).includes("alice: done"));
      expect(await heard(next)).toEqual(["user: please", "alice: done"]);
    },
  );

  it("by POST /shutdown is gone when the client says so [http.shutdown]", async () => {
    await using daemon = await startTestDaemon(slowTeam);
    value(await daemon.client.call("send-message", { to: "alice", message: "please" }));
    await isAtWork(daemon);
    await daemon.client.shutdown();
    await expect(daemon.client.health()).rejects.toMatchObject({ code: "daemon_unreachable" });
    expect(await daemon.ended).toBe(0);
    expect(existsSync(`${daemon.home}/daemon.json`)).toBe(false);
  });

  it("tells those who watch, and leaves no child behind [daemon.signals]", async () => {
    await using daemon = await startTestDaemon({
      files: {
        ...slowTeam.files,
        ".workflows/prepare.yaml":
          "name: prepare\nagents: { alice: { ref: alice } }\nsetup:\n  - shell: echo $$ > shell.pid; sleep 600\nkickoff: '@alice go'\n",
      },
    });
    value(await daemon.client.call("send-message", { to: "alice", message: "please" }));
    const watched = (async () => {
      const events: RunEvent[] = [];
      for await (const event of daemon.client.run({ agent: "alice", message: "and this" })) events.push(event);
      return events;
    })();
    const preparing = daemon.client.serve({ workflow: "prepare" }).catch((error: unknown) => error);
    const shell = `${daemon.project}/shell.pid`;
    await eventually("the setup runs", () => existsSync(shell) && readFileSync(shell, "utf8").includes("\n"));
    await isAtWork(daemon);
    expect(await daemon.stop()).toBe(0);
    expect((await watched).at(-1)).toMatchObject({ type: "error", code: "unavailable" });
    await preparing;
    expect(await processGone(Number(readFileSync(shell, "utf8")))).toBe(true);
  });

  it("answers 503 with Retry-After until it has stopped, and says that it is draining [http.draining]", async () => {
    using folder = temporaryFolder();
    const { engine, begun, release } = stubbornEngine();
    const daemon = await openDaemon({
      trustsAll: true,
      home: folder.in("home"),
      projectDir: folder.path,
      env: {},
      engines: new Map([["mock", engine]]),
    });
    using client = await createClient({ home: folder.in("home") });
    value(await client.call("create-agent", { name: "alice", backend: "mock", system: "You are alice." }));
    value(await client.call("send-message", { to: "alice", message: "please" }));
    await begun;
    const headers = { authorization: `Bearer ${daemon.token}` };
    const stopping = daemon[Symbol.asyncDispose]();
    const refused = await fetch(`${daemon.url}/agents`, { headers });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error: { code: "unavailable" } });
    expect(await (await fetch(`${daemon.url}/health`)).json()).toEqual({ status: "draining" });
    expect(await client.call("list-agents", {})).toMatchObject({ ok: false, error: { code: "unavailable" } });
    release();
    await stopping;
    await daemon.stopped;
    await expect(fetch(`${daemon.url}/health`)).rejects.toThrow("fetch failed");
  });

  it("twice ends at once", async () => {
    await using daemon = await startTestDaemon({
      files: {
        ...slowTeam.files,
        ".workflows/deaf.yaml":
          "name: deaf\nagents: { alice: { ref: alice } }\nsetup:\n  - shell: trap '' TERM INT HUP; echo $$ > shell.pid; while true; do sleep 1; done\n",
      },
    });
    const preparing = daemon.client.serve({ workflow: "deaf" }).catch((error: unknown) => error);
    const shell = `${daemon.project}/shell.pid`;
    await eventually("the setup runs", () => existsSync(shell) && readFileSync(shell, "utf8").includes("\n"));
    process.kill(daemon.pid, "SIGTERM");
    await eventually("it drains", async () => {
      const health = await fetch(`${daemon.url}/health`).catch(() => undefined);
      return health === undefined || ((await health.json()) as { status: string }).status === "draining";
    });
    expect(await daemon.stop("SIGINT")).toBe(130);
    await preparing;
    process.kill(-Number(readFileSync(shell, "utf8")), "SIGKILL");
  });
});

describe("a daemon that is killed", () => {
  it("loses no message it gave a receipt for: the next one answers, once [run.kill-exactly-one]", async () => {
    await using daemon = await startTestDaemon({ files: { ...slowTeam.files, "scripts/alice.yaml": QUICK } });
    const receipts = await Promise.all(
      Array.from({ length: 5 }, async (_, n) =>
        value(await daemon.client.call("send-message", { to: "alice", message: `number ${n}` })),
      ),
    );
    await daemon.stop("SIGKILL");
    expect(receipts.map(({ recipients }) => recipients.length)).toEqual([1, 1, 1, 1, 1]);
    await using next = await daemon.restart();
    await eventually("all are answered", async () => {
      const { projects } = await next.client.health();
      return projects.length === 1 && projects[0]?.pending === 0 && projects[0].running === 0;
    });
    const said = await heard(next);
    expect(said.filter((line) => line.startsWith("user"))).toHaveLength(5);
    expect(said.filter((line) => line === "alice: done").length).toBeGreaterThan(0);
    expect(value(await next.client.call("read-inbox", { target: "alice" })).deliveries).toEqual([]);
  });
});

describe("a bug that nothing caught", () => {
  it("ends the daemon with exit code 1 and is in the log; the next daemon takes over", async () => {
    await using daemon = await startTestDaemon();
    expect(await daemon.stop("SIGUSR2")).toBe(1);
    const log = readFileSync(`${daemon.home}/logs/daemon.log`, "utf8").trim().split("\n");
    expect(JSON.parse(log.at(-1) ?? "")).toMatchObject({ level: "error", error: { message: "a planted bug" } });
    await using next = await daemon.restart();
    expect((await next.client.health()).status).toBe("ready");
  });
});

/** Its step ends only when it is released, whatever it is told. */
function stubbornEngine(): { engine: Engine; begun: Promise<void>; release: () => void } {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const engine: Engine = {
    name: "mock",
    open: async () => ({
      model: "mock/script",
      async *step(_input, signal) {
        begun.resolve();
        await released.promise;
        signal.throwIfAborted();
        yield* [];
      },
      [Symbol.asyncDispose]: () => released.promise,
    }),
    async [Symbol.asyncDispose]() {},
  };
  return { engine, begun: begun.promise, release: released.resolve };
}
