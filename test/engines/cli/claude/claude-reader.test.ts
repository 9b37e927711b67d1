import { describe, expect, it } from "vitest";
import { claudeDialect } from "../../../../src/engines/cli/claude/claude-dialect.ts";
import {
  expectNoResultWhenCutOff,
  expectSameHoweverCut,
  recordedStream,
  replay,
} from "../../../support/engine/recorded-stream.ts";

const reader = (session: string | null = null) => claudeDialect.reader(session);
const whole = recordedStream("claude-tool-call");

describe("the stream of Claude Code", () => {
  it("is text as it is written, calls under the team's names, and a result with what it used [engine.stream]", () => {
    const { events, outcome } = replay(reader(), whole);
    expect(events).toEqual([
      { type: "text", text: "Let me " },
      { type: "text", text: "look." },
      { type: "tool-call", id: "call_1_0", tool: "channel_read", args: { limit: 5 } },
      { type: "tool-result", id: "call_1_0", tool: "channel_read", content: "nothing new", isError: false },
      { type: "text", text: "All " },
      { type: "text", text: "done." },
    ]);
    expect(outcome).toMatchObject({
      kind: "result",
      text: "All done.",
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
      usage: {
        inputTokens: 300,
        outputTokens: 50,
        cachedInputTokens: 120,
        cacheWriteTokens: 10,
        reasoningTokens: 0,
        cost: { basis: "reported", usd: expect.closeTo(0.000_877, 9) },
      },
    });
  });

  it.each([
    ["max_tokens", "length"],
    ["refusal", "filter"],
  ])("says that the answer is not whole: %s", (reason, cut) => {
    const text = whole.toString("utf8").replaceAll('"stop_reason":"end_turn"', `"stop_reason":"${reason}"`);
    expect(replay(reader(), Buffer.from(text)).outcome).toMatchObject({ text: "All done.", cut });
  });

  it("of a session that is gone on with counts the new turn only, though the program adds up the cost", () => {
    const first = replay(reader(), whole).outcome;
    const second = replay(reader("s"), recordedStream("claude-resumed")).outcome;
    if (first?.kind !== "result" || second?.kind !== "result") throw new Error("no result");
    expect(second.usage).toEqual(first.usage);
    const older = Buffer.from(
      whole.toString("utf8").replaceAll("model_usage_since_last_result", "model_usage_of_another_kind"),
    );
    expect(replay(reader(), older).outcome).toMatchObject({ usage: { inputTokens: 300, cost: { basis: "reported" } } });
    expect(replay(reader("s"), older).outcome).toMatchObject({
      usage: { inputTokens: 300, cost: { basis: "unknown" } },
    });
  });

  it.each([
    ["claude-no-login", "permanent", /Invalid API key.*Log in with/],
    ["claude-unknown-model", "permanent", /selected model/],
    ["claude-too-long", "permanent", /Prompt is too long/],
    ["claude-lost-session", "permanent", /No conversation found/],
    ["claude-empty-account", "quota", /Credit balance/],
    ["claude-used-up", "quota", /hit your limit/],
    ["claude-rate-limit", "transient", /429/],
    ["claude-overloaded", "transient", /529/],
    ["claude-connection-lost", "transient", /Connection dropped/],
  ])("tells what went wrong, also when it calls it a success: %s [engine.error-result]", (name, kind, message) => {
    const { outcome } = replay(reader(), recordedStream(name));
    expect(outcome).toMatchObject({ kind: "failure", class: kind, message: expect.stringMatching(message) });
  });

  it("tells when to come back, and when another session would help", () => {
    expect(replay(reader(), recordedStream("claude-rate-limit")).outcome).toMatchObject({ retryAfterMs: 17_000 });
    const used = replay(reader(), recordedStream("claude-used-up")).outcome;
    expect(used).toMatchObject({ resetAtMs: expect.any(Number) });
    expect(replay(reader("s"), recordedStream("claude-lost-session")).outcome).toMatchObject({ sessionUnusable: true });
    expect(replay(reader("s"), recordedStream("claude-too-long")).outcome).toMatchObject({ sessionUnusable: true });
    expect(replay(reader("s"), recordedStream("claude-no-login")).outcome).not.toMatchObject({ sessionUnusable: true });
  });

  it("means the same wherever the pipe cuts it and whatever stands between [engine.stream-damage]", () => {
    expect.hasAssertions();
    expectSameHoweverCut(reader, whole);
  });

  it("is no result when it is cut off before its end [engine.stream-damage]", () => {
    expect.hasAssertions();
    expectNoResultWhenCutOff(reader, whole);
  });
});
