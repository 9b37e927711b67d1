import { tmpdir } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { EngineFailure } from "../../../src/ports/engine.ts";
import { failureOf, openSession, stepOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../src/testing/recording-tools.ts";
import type { FakeReply, Protocol } from "../../support/engine/fake-model-server/script.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { startSilentServer } from "../../support/engine/fake-model-server/silent-server.ts";
import { agentOn, KEY, PROTOCOLS, startEngine } from "../../support/engine/sdk-engine-rig.ts";

const engine = startEngine();
afterAll(() => engine[Symbol.asyncDispose]());
const cwd = tmpdir();

async function failWith(reply: FakeReply, protocol: Protocol): Promise<EngineFailure> {
  await using server = await startFakeModelServer([reply]);
  await using session = await openSession({ engine, agent: agentOn(server.url, protocol), cwd }, recordingTools());
  const failed = await failureOf(() => stepOf(session, 1, "Go."));
  expect(failed).toBeInstanceOf(EngineFailure);
  expect(server.requests, "the engine does not retry by itself").toHaveLength(1);
  return failed as EngineFailure;
}

const said = (type: string, message: string, code?: string) => ({ error: { type, message, ...(code && { code }) } });
const partial = "I think that";

interface Case {
  readonly what: string;
  readonly reply: FakeReply;
  readonly expected: Readonly<Record<string, unknown>>;
  readonly only?: Protocol;
}

const cases: readonly Case[] = [
  {
    what: "429",
    reply: { status: 429, ...said("rate_limit_error", "Slow down.") },
    expected: { class: "transient", retryAfterMs: undefined },
  },
  {
    what: "429 with Retry-After",
    reply: { status: 429, headers: { "retry-after": "7" } },
    expected: { class: "transient", retryAfterMs: 7_000 },
  },
  {
    what: "429 of a used-up quota",
    reply: { status: 429, ...said("insufficient_quota", "You exceeded your current quota.", "insufficient_quota") },
    expected: { class: "quota" },
  },
  {
    what: "400 of an empty account",
    reply: { status: 400, ...said("invalid_request_error", "Your credit balance is too low to access the API.") },
    expected: { class: "quota" },
  },
  {
    what: "400 of a spend cap, with its end",
    reply: {
      status: 400,
      ...said(
        "invalid_request_error",
        "You have reached your specified API usage limits. You will regain access on 2031-02-03 at 00:00 UTC.",
      ),
    },
    expected: { class: "quota", resetAtMs: Date.UTC(2031, 1, 3) },
  },
  {
    what: "429 of a daily quota, as Google writes it",
    reply: {
      status: 429,
      body: JSON.stringify({
        error: {
          code: 429,
          message: "You exceeded your current quota.",
          status: "RESOURCE_EXHAUSTED",
          details: [{ violations: [{ quotaId: "GenerateRequestsPerDayPerProject" }] }, { retryDelay: "34s" }],
        },
      }),
    },
    expected: { class: "quota", retryAfterMs: 34_000 },
    only: "openai-chat",
  },
  { what: "529", reply: { status: 529, ...said("overloaded_error", "Overloaded") }, expected: { class: "transient" } },
  { what: "500", reply: { status: 500 }, expected: { class: "transient" } },
  {
    what: "502 that is a page",
    reply: { status: 502, body: "<html>Bad Gateway</html>" },
    expected: { class: "transient" },
  },
  {
    what: "401",
    reply: { status: 401, ...said("authentication_error", `Bad key ${KEY}`) },
    expected: { class: "permanent" },
  },
  { what: "403", reply: { status: 403 }, expected: { class: "permanent" } },
  { what: "400", reply: { status: 400, ...said("invalid_request_error", "No.") }, expected: { class: "permanent" } },
  {
    what: "404 of an unknown model",
    reply: { status: 404, ...said("not_found_error", "model: fake-model") },
    expected: { class: "permanent" },
  },
  {
    what: "a redirect",
    reply: { status: 307, headers: { location: "http://127.0.0.1:9/elsewhere" } },
    expected: { class: "transient" },
  },
  { what: "a reset before the answer", reply: { reset: "headers" }, expected: { class: "transient" } },
  { what: "a reset in the middle", reply: { text: partial, fault: "reset" }, expected: { class: "transient" } },
  { what: "garbage in the middle", reply: { text: partial, fault: "garbage" }, expected: { class: "transient" } },
  {
    what: "garbage instead of a stream",
    reply: { status: 200, body: "<html>hello</html>" },
    expected: { class: "transient" },
  },
  { what: "JSON that is cut", reply: { text: partial, fault: "cut-json" }, expected: { class: "transient" } },
  { what: "a missing end", reply: { text: partial, fault: "missing-end" }, expected: { class: "transient" } },
  { what: "a line without end", reply: { text: partial, fault: "endless-line" }, expected: { class: "transient" } },
  {
    what: "overload after 200",
    reply: { text: partial, fault: said("overloaded_error", "Overloaded") },
    expected: { class: "transient" },
  },
  {
    what: "used-up quota after 200",
    reply: { text: partial, fault: said("insufficient_quota", "No more.", "insufficient_quota") },
    expected: { class: "quota" },
  },
  {
    what: "bad key after 200",
    reply: { text: partial, fault: said("authentication_error", "Bad key.") },
    expected: { class: "permanent" },
    only: "anthropic-messages",
  },
];

describe.each(PROTOCOLS)("%s", (protocol) => {
  it.each(cases.filter(({ only = protocol }) => only === protocol))(
    "$what is $expected.class [engine.sdk] [engine.error-result] [engine.stream-damage]",
    async ({ reply, expected }) => {
      const failed = await failWith(reply, protocol);
      expect(failed).toMatchObject(expected);
      expect(failed.message).not.toContain(KEY);
      expect(failed.message).not.toContain("\n");
    },
  );

  it.each([
    ["content-filter", "filter"],
    ["length", "length"],
  ] as const)(
    "an answer that ends with %s is an answer, and says that it is not whole [once.cut]",
    async (finish, cut) => {
      await using server = await startFakeModelServer([{ text: partial, finish }]);
      await using session = await openSession({ engine, agent: agentOn(server.url, protocol), cwd }, recordingTools());
      expect((await stepOf(session, 1, "Go.")).at(-1)).toMatchObject({ finished: true, text: partial, cut });
    },
  );
});

describe("what a failure says", () => {
  it("names the model, the status and what to check [engine.sdk]", async () => {
    const failed = await failWith(
      { status: 401, ...said("authentication_error", "invalid x-api-key") },
      "anthropic-messages",
    );
    expect(failed.message).toBe(
      'anthropic/fake-model: 401 invalid x-api-key. Check the key (ANTHROPIC_API_KEY, or what "api_key" names).',
    );
  });

  it("leaves the session able to try the step again, without what was cut off [engine.sdk]", async () => {
    await using server = await startFakeModelServer([{ text: partial, fault: "reset" }, { text: "Whole." }]);
    const agent = agentOn(server.url, "anthropic-messages");
    await using session = await openSession({ engine, agent, cwd }, recordingTools());
    await failureOf(() => stepOf(session, 1, "Go."));
    expect(await stepOf(session, 1, "Go.")).toMatchObject([{ type: "text" }, { type: "end", text: "Whole." }]);
    expect(server.requests[1]?.messages).toHaveLength(1);
  });
});

describe("silence", () => {
  const patient = { connect: 5_000, headers: 5_000, body: 5_000 };

  it.each(PROTOCOLS)("before the headers ends the step: %s [engine.timeouts]", async (protocol) => {
    await using hasty = startEngine({ poolSize: 0, timeouts: { ...patient, headers: 120 } });
    await using server = await startFakeModelServer([{ silence: "headers" }]);
    await using session = await openSession(
      { engine: hasty, agent: agentOn(server.url, protocol), cwd },
      recordingTools(),
    );
    const failed = await failureOf(() => stepOf(session, 1, "Go."));
    expect(failed).toMatchObject({ class: "transient", message: expect.stringContaining("no answer within") });
  });

  it.each(PROTOCOLS)("in the middle ends the step: %s [engine.timeouts]", async (protocol) => {
    await using hasty = startEngine({ poolSize: 0, timeouts: { ...patient, body: 120 } });
    await using server = await startFakeModelServer([{ text: partial, fault: "silence" }, { text: "Later." }]);
    await using session = await openSession(
      { engine: hasty, agent: agentOn(server.url, protocol), cwd },
      recordingTools(),
    );
    const failed = await failureOf(() => stepOf(session, 1, "Go."));
    expect(failed).toMatchObject({ class: "transient", message: expect.stringContaining("did not go on") });
  });

  it("at connect ends the step [engine.timeouts]", async () => {
    await using hasty = startEngine({ poolSize: 0, timeouts: { ...patient, connect: 120 } });
    await using server = await startSilentServer();
    const agent = agentOn(server.url, "anthropic-messages");
    await using session = await openSession({ engine: hasty, agent, cwd }, recordingTools());
    const failed = await failureOf(() => stepOf(session, 1, "Go."));
    expect(failed).toMatchObject({ class: "transient", message: expect.stringContaining("no connection within") });
  });

  it("with a byte now and then is still silence [engine.timeouts]", async () => {
    await using hasty = startEngine({ poolSize: 0, timeouts: { ...patient, headers: 500 } });
    await using server = await startFakeModelServer([{ text: "x".repeat(200_000), chunkBytes: 1 }]);
    const agent = agentOn(server.url, "anthropic-messages");
    await using session = await openSession({ engine: hasty, agent, cwd }, recordingTools());
    const failed = await failureOf(() => stepOf(session, 1, "Go."));
    expect(failed).toMatchObject({ class: "transient", message: expect.stringContaining("no answer") });
  });

  it("of a consumer that takes its time is not the provider's [engine.timeouts]", async () => {
    await using hasty = startEngine({ poolSize: 0, timeouts: { ...patient, body: 700 } });
    await using server = await startFakeModelServer([{ text: Array.from({ length: 2_000 }, (_, n) => `${n} `) }]);
    const agent = agentOn(server.url, "anthropic-messages");
    await using session = await openSession({ engine: hasty, agent, cwd }, recordingTools());
    let pieces = 0;
    for await (const event of session.step({ number: 1, prompt: "Go." }, new AbortController().signal)) {
      if (event.type === "text" && (pieces += 1) === 1) await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    expect(pieces).toBe(2_000);
  });
});
