import { tmpdir } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { endOf, openSession, stepOf, stepsOf, textOf } from "../../../src/testing/engine-steps.ts";
import { recordingTools, success } from "../../../src/testing/recording-tools.ts";
import { startFakeModelServer } from "../../support/engine/fake-model-server/server.ts";
import { agentOn, KEY, PROTOCOLS, startEngine } from "../../support/engine/sdk-engine-rig.ts";

const engine = startEngine();
afterAll(() => engine[Symbol.asyncDispose]());
const cwd = tmpdir();

describe.each(PROTOCOLS)("%s", (protocol) => {
  it("streams text as it comes, a byte at a time, with split characters and CRLF [engine.stream] [engine.stream-damage]", async () => {
    await using server = await startFakeModelServer([
      { text: ["Grüße, ", "日本", "🙂."], chunkBytes: 1 },
      { text: ["eins ", "zwei"], crlf: true },
    ]);
    await using session = await openSession({ engine, agent: agentOn(server.url, protocol), cwd }, recordingTools());
    const bytewise = await stepOf(session, 1, "Go.");
    expect(bytewise.filter(({ type }) => type === "text")).toHaveLength(3);
    expect(textOf(bytewise)).toBe("Grüße, 日本🙂.");
    expect(endOf(await stepOf(session, 2, "And?")).text).toBe("eins zwei");
  });

  it("sends the system prompt, the tools in their order and the key, and yields between model calls [engine.sdk] [engine.system-prompt]", async () => {
    await using server = await startFakeModelServer([
      {
        text: "Looking.",
        toolCalls: [
          { name: "zoom", args: { at: 1 } },
          { name: "aim", args: { at: 2 } },
        ],
      },
      { text: "Seen." },
    ]);
    const tools = recordingTools({ zoom: () => success("near"), aim: () => success("there") });
    const agent = agentOn(server.url, protocol, { maxTokens: 1_234 });
    await using session = await openSession({ engine, agent, cwd }, tools, { system: "You are Alice." });
    const first = await stepOf(session, 1, "Look.");
    expect(server.requests).toHaveLength(1);
    expect(endOf(first)).toMatchObject({ finished: false, text: "Looking.", waitsFor: null });
    expect(tools.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ["zoom", { at: 1 }],
      ["aim", { at: 2 }],
    ]);
    const second = await stepOf(session, 2, null);
    expect(endOf(second)).toMatchObject({ finished: true, text: "Seen." });
    const [asked, again] = server.requests;
    expect(asked).toMatchObject({ protocol, system: "You are Alice." });
    expect(asked?.tools.map(({ name }) => name)).toEqual(["zoom", "aim"]);
    expect(JSON.stringify(asked?.headers)).toContain(KEY);
    expect(JSON.stringify(asked?.body)).toContain("1234");
    expect(JSON.stringify(again?.messages)).toMatch(/Look\..*Looking\..*near.*there/s);
  });

  it("goes on in a new process from the transcript, which holds no secret [engine.sdk]", async () => {
    await using server = await startFakeModelServer([
      { reasoning: "Let me see.", text: "First.", toolCalls: [{ name: "look", args: {} }] },
      { text: "Last." },
    ]);
    const tools = recordingTools({ look: () => success("all fine") });
    const agent = agentOn(server.url, protocol);
    let transcript: string;
    {
      await using first = startEngine({ poolSize: 0 });
      await using session = await openSession({ engine: first, agent, cwd }, tools);
      transcript = endOf(await stepOf(session, 1, "Go.")).transcript;
    }
    expect(transcript).not.toContain(KEY);
    await using session = await openSession({ engine, agent, cwd }, tools, { transcript });
    expect(endOf(await stepOf(session, 2, null))).toMatchObject({ finished: true, text: "Last." });
    expect(tools.calls).toHaveLength(1);
    expect(JSON.stringify(server.requests[1]?.messages)).toMatch(/Go\..*First\..*all fine/s);
  });

  it("reports every class of tokens, and an unknown cost as unknown [engine.sdk]", async () => {
    const usage = {
      input: 100,
      output: 20,
      cached: 30,
      cacheWrite: protocol === "anthropic-messages" ? 10 : 0,
      reasoning: 7,
    };
    await using server = await startFakeModelServer([{ text: "x", usage }]);
    await using session = await openSession({ engine, agent: agentOn(server.url, protocol), cwd }, recordingTools());
    const [step = []] = await stepsOf(session);
    const anthropic = protocol === "anthropic-messages";
    expect(endOf(step).usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      cachedInputTokens: 30,
      cacheWriteTokens: anthropic ? 10 : null,
      reasoningTokens: anthropic ? null : 7,
      cost: { basis: "unknown" },
    });
  });

  it("answers calls that make no sense by itself, and the run goes on [engine.stream-damage]", async () => {
    await using server = await startFakeModelServer([
      {
        toolCalls: [
          { name: "nope", args: {} },
          { name: "look", args: '{"cut' },
          { name: "look", args: {} },
        ],
      },
      { text: "Sorry." },
    ]);
    const tools = recordingTools({ look: () => success("ok") });
    await using session = await openSession({ engine, agent: agentOn(server.url, protocol), cwd }, tools);
    const [first = [], second = []] = await stepsOf(session);
    expect(tools.calls).toHaveLength(1);
    expect(first.filter((event) => event.type === "tool-result").map(({ isError }) => isError)).toEqual([
      true,
      true,
      false,
    ]);
    expect(endOf(second)).toMatchObject({ finished: true, text: "Sorry." });
  });
});

describe("sdk engine", () => {
  it("gives calls ids that are unique in the run, also when the provider repeats its own [engine.sdk]", async () => {
    const call = { id: "call_0", name: "look", args: {} };
    await using server = await startFakeModelServer([{ toolCalls: [call] }, { toolCalls: [call] }, { text: "ok" }]);
    const tools = recordingTools({ look: () => success("seen") });
    await using session = await openSession({ engine, agent: agentOn(server.url, "openai-chat"), cwd }, tools);
    const events = (await stepsOf(session)).flat();
    const ids = (type: string) => events.flatMap((event) => (event.type === type && "id" in event ? [event.id] : []));
    expect(tools.calls.map(({ id }) => id)).toEqual(ids("tool-call"));
    expect(ids("tool-result")).toEqual(ids("tool-call"));
    expect(new Set(ids("tool-call")).size).toBe(2);
  });

  it("stops at the first call that needs an approval and later makes it and the rest [engine.sdk]", async () => {
    await using server = await startFakeModelServer([
      { toolCalls: ["one", "two", "three"].map((name) => ({ name, args: {} })) },
      { text: "All done." },
    ]);
    let approved = false;
    const tools = recordingTools({
      one: () => success("1"),
      two: () => (approved ? success("2") : { kind: "approval", approval: "apr_7" }),
      three: () => success("3"),
    });
    const agent = agentOn(server.url, "anthropic-messages");
    await using session = await openSession({ engine, agent, cwd }, tools);
    expect(endOf(await stepOf(session, 1, "Go."))).toMatchObject({ finished: false, waitsFor: "apr_7" });
    expect(tools.calls.map(({ tool }) => tool)).toEqual(["one", "two"]);
    expect(endOf(await stepOf(session, 2, null))).toMatchObject({ finished: false, waitsFor: "apr_7" });
    expect(server.requests).toHaveLength(1);
    approved = true;
    expect(endOf(await stepOf(session, 3, null))).toMatchObject({ finished: true, text: "All done.", waitsFor: null });
    expect(tools.calls.map(({ tool }) => tool)).toEqual(["one", "two", "two", "two", "three"]);
    expect(new Set(tools.calls.slice(1, 4).map(({ id }) => id)).size).toBe(1);
  });

  it("lets Anthropic cache the system prompt and the conversation, and OpenAI keep nothing [engine.sdk]", async () => {
    await using server = await startFakeModelServer([{ text: "a" }, { text: "b" }]);
    for (const protocol of ["anthropic-messages", "openai-responses"] as const) {
      await using session = await openSession({ engine, agent: agentOn(server.url, protocol), cwd }, recordingTools());
      await stepOf(session, 1, "Go.");
    }
    const [anthropic, openai] = server.requests;
    expect(anthropic?.body).toMatchObject({
      system: [{ cache_control: { type: "ephemeral" } }],
      messages: [{ content: [{ cache_control: { type: "ephemeral" } }] }],
    });
    expect(openai?.body).toMatchObject({ store: false });
  });

  it("asks nothing of a model that already had the last word [engine.sdk]", async () => {
    await using server = await startFakeModelServer([{ text: "My answer." }]);
    const agent = agentOn(server.url, "anthropic-messages");
    await using session = await openSession({ engine, agent, cwd }, recordingTools());
    const { transcript } = endOf(await stepOf(session, 1, "Go."));
    await using resumed = await openSession({ engine, agent, cwd }, recordingTools(), { transcript });
    expect(endOf(await stepOf(resumed, 2, null))).toMatchObject({ finished: true, text: "My answer." });
    expect(server.requests).toHaveLength(1);
  });
});
