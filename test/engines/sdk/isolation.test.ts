import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { failureOf, openSession, stepOf, stepsOf, endOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success } from "../../../src/testing/recording-tools.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import {
  agentOn,
  childProcesses,
  environment,
  environmentOf,
  isRunning,
  KEY,
  startEngine,
} from "../../support/engine/sdk-engine-rig.ts";

const engine = startEngine();
afterAll(() => engine[Symbol.asyncDispose]());
const cwd = tmpdir();
const nowhere = agentOn("http://127.0.0.1:1", "anthropic-messages");
const workerEntry = fileURLToPath(new URL("../../support/engine/sdk-workers/misbehaving-worker.ts", import.meta.url));

describe("a worker that misbehaves", () => {
  it.each([
    ["allocates without end", "out of memory"],
    ["is killed by a segmentation fault", "SIGSEGV"],
    ["exits 0 without a result", "exit code 0"],
    ["writes without end", "without end"],
    ["writes one line without end", "not a message"],
    ["writes to stderr without end", "without end"],
    ["writes nonsense", "not a message"],
    ["says nothing", "did not react"],
  ])("%s: only its own step fails, as a crash [engine.sdk-isolated] [engine.error-result]", async (prompt, words) => {
    await using server = await startFakeModelServer([{ text: ["still ", "here"], chunkBytes: 8 }]);
    await using other = await openSession({ engine, agent: agentOn(server.url, "openai-chat"), cwd }, recordingTools());
    const timeouts = prompt === "says nothing" ? { worker: 200 } : {};
    await using bad = startEngine({ poolSize: 0, memoryLimitMb: 64, workerEntry, timeouts });
    const before = process.memoryUsage().rss;
    {
      await using session = await openSession({ engine: bad, agent: nowhere, cwd }, recordingTools());
      const [failed, answer] = await Promise.all([failureOf(() => stepOf(session, 1, prompt)), stepsOf(other)]);
      expect(failed).toMatchObject({ class: "crash", message: expect.stringContaining(words) });
      expect(endOf(answer.flat()).text).toBe("still here");
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  it("takes its grandchildren along [engine.abort]", async () => {
    await using bad = startEngine({ poolSize: 0, workerEntry });
    const session = await openSession({ engine: bad, agent: nowhere, cwd }, recordingTools());
    const [started] = await stepOf(session, 1, "leaves a grandchild");
    const pid = Number(started?.type === "text" ? started.text : 0);
    expect(isRunning(pid)).toBe(true);
    await session[Symbol.asyncDispose]();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("is replaced, and the run goes on from its last step [engine.sdk-isolated]", async () => {
    await using server = await startFakeModelServer([
      { toolCalls: [{ name: "look", args: {} }] },
      { text: "never", fault: "silence" },
      { text: "Recovered." },
    ]);
    const tools = recordingTools({ look: () => success("seen") });
    const before = new Set(childProcesses());
    await using own = startEngine();
    await using session = await openSession({ engine: own, agent: agentOn(server.url, "openai-chat"), cwd }, tools);
    await stepOf(session, 1, "Go.");
    const killed = failureOf(() => stepOf(session, 2, null));
    await server.received(2);
    for (const pid of childProcesses()) if (!before.has(pid)) process.kill(pid, "SIGKILL");
    expect(await killed).toMatchObject({ class: "crash", message: expect.stringContaining("SIGKILL") });
    expect(endOf(await stepOf(session, 2, null))).toMatchObject({ finished: true, text: "Recovered." });
    expect(tools.calls).toHaveLength(1);
  });
});

describe("a process of the engine", () => {
  it("is gone after an abort [engine.abort]", async () => {
    await using server = await startFakeModelServer([{ text: "x", fault: "silence" }]);
    await using own = startEngine({ poolSize: 0 });
    const before = new Set(childProcesses());
    const session = await openSession(
      { engine: own, agent: agentOn(server.url, "anthropic-messages"), cwd },
      recordingTools(),
    );
    const stop = new AbortController();
    const step = failureOf(() => stepOf(session, 1, "Go.", stop.signal));
    await server.received(1);
    expect(childProcesses().filter((pid) => !before.has(pid))).toHaveLength(1);
    stop.abort(new Error("enough"));
    expect(await step).toMatchObject({ message: "enough" });
    expect(childProcesses().filter((pid) => !before.has(pid))).toEqual([]);
    await session[Symbol.asyncDispose]();
  });

  it("has nothing of the daemon's secrets in its environment, nor the key [engine.env-allow-list]", async () => {
    await using server = await startFakeModelServer([{ text: "x" }]);
    const env = {
      ...environment,
      TZ: "UTC",
      LANG: "C.UTF-8",
      NO_PROXY: "127.0.0.1",
      NODE_OPTIONS: "--no-warnings",
      ANTHROPIC_API_KEY: "sk-ant-of-the-person",
      AGENT_WORKER_TOKEN: "daemon-token",
    };
    await using own = startEngine({ poolSize: 0, env });
    const before = new Set(childProcesses());
    const agent = agentOn(server.url, "anthropic-messages", {
      env: { MINE: "yes" },
    });
    await using session = await openSession({ engine: own, agent, cwd }, recordingTools());
    await stepOf(session, 1, "Go.");
    const [pid = 0] = childProcesses().filter((one) => !before.has(one));
    const found = environmentOf(pid);
    expect(Object.keys(found).toSorted()).toEqual(["HOME", "LANG", "NODE_USE_ENV_PROXY", "NO_PROXY", "PATH", "TZ"]);
    expect(JSON.stringify(found)).not.toContain(KEY);
    expect(server.requests[0]?.headers["x-api-key"]).toBe(KEY);
  });

  it("serves session after session [engine.sdk]", async () => {
    await using server = await startFakeModelServer(() => ({ text: "x" }));
    const before = new Set(childProcesses());
    await using own = startEngine();
    const pids = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      await using session = await openSession(
        { engine: own, agent: agentOn(server.url, "openai-chat"), cwd },
        recordingTools(),
      );
      await stepOf(session, 1, "Go.");
      for (const pid of childProcesses()) if (!before.has(pid)) pids.add(pid);
    }
    expect(pids.size).toBe(1);
  });

  it("ends with the daemon, however that ends [engine.sdk-isolated]", async () => {
    const daemon = spawn(
      process.execPath,
      [fileURLToPath(new URL("../../support/engine/sdk-workers/doomed-daemon.ts", import.meta.url))],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [line] = await daemon.stdout.take(1).toArray();
    const pid = Number(String(line));
    expect(isRunning(pid)).toBe(true);
    daemon.kill("SIGKILL");
    await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
  });

  it("is started again and again when descriptors run out, at no cost to the run [engine.sdk-isolated]", async () => {
    const program = fileURLToPath(new URL("../../support/engine/sdk-workers/few-descriptors.ts", import.meta.url));
    const starved = spawn("/bin/sh", ["-c", `ulimit -n 64; exec "${process.execPath}" "${program}"`], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = (await starved.stdout.toArray()).join("");
    expect(output).toBe("opened after 2 refusals");
  });
});
