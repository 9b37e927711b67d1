import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { endOf, failureOf, openSession, stepOf, stepsOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success } from "../../../src/testing/recording-tools.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, childProcesses, isRunning, startEngine } from "../../support/engine/sdk-engine-rig.ts";

const cwd = tmpdir();
const nowhere = agentOn("http://127.0.0.1:1", "anthropic-messages");
const misbehaving = fileURLToPath(new URL("../../support/engine/sdk-workers/misbehaving-worker.ts", import.meta.url));

async function openMany(engine: ReturnType<typeof startEngine>, agent: typeof nowhere, count: number) {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      openSession({ engine, agent, cwd }, recordingTools({ look: () => success(`seen by ${n}`) }), { run: `run_${n}` }),
    ),
  );
}

describe("sessions in one process", () => {
  it("do not see each other's words, tools or answers [engine.sdk-shared]", async () => {
    await using server = await startFakeModelServer(({ messages }) => {
      const text = JSON.stringify(messages);
      const who = /I am (\d+)\./.exec(text)?.[1];
      return text.includes("seen by") ? { text: [`Hello `, `${who}.`] } : { toolCalls: [{ name: "look", args: {} }] };
    });
    const before = new Set(childProcesses());
    await using engine = startEngine({ poolSize: 1, cores: 1 });
    const sessions = await openMany(engine, agentOn(server.url, "anthropic-messages"), 40);
    const answers = await Promise.all(sessions.map((session, n) => stepsOf(session, { prompt: `I am ${n}.` })));
    expect(answers.map((steps) => endOf(steps.at(-1) ?? []).text)).toEqual(sessions.map((_, n) => `Hello ${n}.`));
    expect(answers.map((steps) => JSON.stringify(steps).match(/seen by \d+/)?.[0])).toEqual(
      sessions.map((_, n) => `seen by ${n}`),
    );
    expect(childProcesses().filter((pid) => !before.has(pid))).toHaveLength(1);
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
  });

  it("end one by one: an abort of one ends its request and no other [engine.sdk-shared] [engine.abort]", async () => {
    const aborted = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await using server = await startFakeModelServer(({ messages }) =>
      JSON.stringify(messages).includes("wait for ever")
        ? { text: "never", fault: "silence" }
        : { text: "Here.", after: goOn.promise },
    );
    const before = new Set(childProcesses());
    await using engine = startEngine({ poolSize: 1, cores: 1 });
    const [left, staying] = await openMany(engine, agentOn(server.url, "openai-chat"), 2);
    if (left === undefined || staying === undefined) throw new Error("no sessions");
    const stop = new AbortController();
    const stopped = failureOf(() => stepOf(left, 1, "Please wait for ever.", stop.signal)).finally(aborted.resolve);
    const answer = stepOf(staying, 1, "Go.");
    await server.received(2);
    stop.abort(new Error("enough"));
    expect(await stopped).toMatchObject({ message: "enough" });
    goOn.resolve();
    expect(endOf(await answer).text).toBe("Here.");
    expect(childProcesses().filter((pid) => !before.has(pid))).toHaveLength(1);
    await left[Symbol.asyncDispose]();
    await staying[Symbol.asyncDispose]();
  });

  it("need another process only when their memory does not fit [engine.sdk-shared]", async () => {
    await using server = await startFakeModelServer(() => ({ text: "x" }));
    const before = new Set(childProcesses());
    await using engine = startEngine({ poolSize: 1, cores: 1, memoryLimitMb: 64 });
    const transcript = JSON.stringify([{ role: "user", content: "x".repeat(3_000_000) }]);
    const open = () =>
      openSession({ engine, agent: agentOn(server.url, "openai-chat"), cwd }, recordingTools(), { transcript });
    const sessions = await Promise.all([open(), open(), open()]);
    for (const session of sessions) await stepOf(session, 1, null);
    expect(childProcesses().filter((pid) => !before.has(pid))).toHaveLength(3);
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
  });
});

describe("a process that ends with several sessions in it", () => {
  it("is blamed on nobody; each step can be made again, and only what ends its own process too pays [engine.sdk-blame]", async () => {
    await using engine = startEngine({ poolSize: 1, cores: 1, workerEntry: misbehaving });
    const [guilty, ...others] = await openMany(engine, nowhere, 6);
    if (guilty === undefined) throw new Error("no session");
    const before = new Set(childProcesses());
    const waiting = others.map((session) => failureOf(() => stepOf(session, 1, "says nothing")));
    const failures = await Promise.all([
      ...waiting,
      failureOf(() => stepOf(guilty, 1, "is killed by a segmentation fault")),
    ]);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(EngineFailure);
      expect(failure).toMatchObject({ class: "crash", shared: true, message: expect.stringContaining("SIGSEGV") });
    }
    const again = failureOf(() => stepOf(guilty, 1, "is killed by a segmentation fault"));
    const answers = await Promise.all(others.map((session) => stepOf(session, 1, "answers")));
    expect(await again).toMatchObject({ class: "crash", shared: false });
    for (const events of answers) expect(endOf(events)).toMatchObject({ finished: true, text: "answered" });
    await Promise.all([guilty, ...others].map((session) => session[Symbol.asyncDispose]()));
    for (const pid of before) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("keeps a run alone that ended its own process, and lets the others share again [engine.sdk-blame]", async () => {
    await using engine = startEngine({ poolSize: 1, cores: 1, workerEntry: misbehaving });
    const pidOf = (events: Awaited<ReturnType<typeof stepOf>>) => (events[0]?.type === "text" ? events[0].text : "");
    {
      await using guilty = await openSession({ engine, agent: nowhere, cwd }, recordingTools(), { run: "run_bad" });
      expect(await failureOf(() => stepOf(guilty, 1, "exits 0 without a result"))).toMatchObject({ shared: false });
    }
    await using again = await openSession({ engine, agent: nowhere, cwd }, recordingTools(), { run: "run_bad" });
    const [first, second] = await openMany(engine, nowhere, 2);
    if (first === undefined || second === undefined) throw new Error("no sessions");
    const alone = pidOf(await stepOf(again, 1, "says its pid"));
    const shared = pidOf(await stepOf(first, 1, "says its pid"));
    expect(pidOf(await stepOf(second, 1, "says its pid"))).toBe(shared);
    expect(alone).not.toBe(shared);
    expect(pidOf(await stepOf(again, 2, "says its pid"))).toBe(alone);
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
  });

  it("costs a session nothing that did nothing at the moment [engine.sdk-blame]", async () => {
    await using engine = startEngine({ poolSize: 1, cores: 1, workerEntry: misbehaving });
    const [busy, idle] = await openMany(engine, nowhere, 2);
    if (busy === undefined || idle === undefined) throw new Error("no sessions");
    expect(await failureOf(() => stepOf(busy, 1, "exits 0 without a result"))).toMatchObject({ shared: false });
    expect(endOf(await stepOf(idle, 1, "answers")).text).toBe("answered");
    await busy[Symbol.asyncDispose]();
    await idle[Symbol.asyncDispose]();
  });

  it("is ended when one session blocks it, and the others go on elsewhere [engine.sdk-blame]", async () => {
    await using engine = startEngine({ poolSize: 1, cores: 1, workerEntry: misbehaving, timeouts: { worker: 300 } });
    const [blocking, other] = await openMany(engine, nowhere, 2);
    if (blocking === undefined || other === undefined) throw new Error("no sessions");
    const waits = failureOf(() => stepOf(other, 1, "reacts and says nothing"));
    expect(await failureOf(() => stepOf(blocking, 1, "blocks"))).toMatchObject({ class: "crash", shared: true });
    expect(await waits).toMatchObject({ class: "crash", shared: true });
    expect(endOf(await stepOf(other, 1, "answers")).text).toBe("answered");
    expect(await failureOf(() => stepOf(blocking, 1, "blocks"))).toMatchObject({ class: "crash", shared: false });
    await blocking[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });
});
