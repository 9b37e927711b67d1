import { describe, expect, it } from "vitest";
import { opencodeDialect } from "../../../../src/engines/cli/opencode/opencode-dialect.ts";
import {
  expectNoResultWhenCutOff,
  expectSameHoweverCut,
  recordedStream,
  replay,
} from "../../../support/engine/recorded-stream.ts";

const reader = () => opencodeDialect.reader(null);
const play = (name: string, exit: Parameters<typeof replay>[2] = {}) => replay(reader(), recordedStream(name), exit);
const whole = recordedStream("opencode-tool-call");

describe("the stream of OpenCode", () => {
  it("is text, calls under the team's names, and the answer of the last model call with what all used", () => {
    const { events, outcome } = replay(reader(), whole);
    expect(events).toEqual([
      { type: "text", text: "I will ping." },
      { type: "tool-call", id: "call_1_0", tool: "ping", args: { word: "x" } },
      { type: "tool-result", id: "call_1_0", tool: "ping", content: "pong!", isError: false },
      { type: "text", text: "All done." },
    ]);
    expect(outcome).toMatchObject({
      kind: "result",
      text: "All done.",
      session: expect.stringMatching(/^ses_/),
      usage: {
        inputTokens: 110,
        outputTokens: 12,
        cachedInputTokens: 20,
        cacheWriteTokens: 0,
        reasoningTokens: 3,
        cost: { basis: "estimated", usd: expect.closeTo(0.000_114, 9) },
      },
    });
  });

  it("shows a call that was denied as a failed one, and the turn goes on", () => {
    const { events, outcome } = play("opencode-denied");
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({ tool: "bash", isError: true });
    expect(outcome).toMatchObject({ kind: "result", text: "All done." });
  });

  it.each([
    ["opencode-unauthorised", 1, "permanent", /401 bad key.*Log in with/],
    ["opencode-broken-off", 0, "crash", /broke off after a tool call/],
  ])("tells what went wrong: %s [engine.error-result]", (name, code, kind, message) => {
    const { outcome } = play(name, { code });
    expect(outcome).toMatchObject({ kind: "failure", class: kind, message: expect.stringMatching(message) });
  });

  it("says that the last answer was cut because it was as long as it may be", () => {
    const cut = whole.toString("utf8").replace('"reason":"stop"', '"reason":"length"');
    expect(replay(reader(), Buffer.from(cut)).outcome).toMatchObject({ text: "All done.", cut: "length" });
  });

  it("that overflows its context is given one more chance, which is believed though the exit code is not 0", () => {
    expect(play("opencode-overflow-recovered", { code: 1 }).outcome).toMatchObject({
      kind: "result",
      text: "All done.",
      exitCodeExplained: true,
    });
  });

  it("that overflows again and again is hopeless, and begins anew when it went on with a session", () => {
    const lines = recordedStream("opencode-overflow-for-ever").toString("utf8").trim().split("\n");
    const patient = reader();
    const until = lines.findIndex((line) => {
      patient.line(line);
      return patient.cannotSucceed?.();
    });
    expect(lines.slice(0, until + 1).filter((line) => line.includes("ContextOverflowError"))).toHaveLength(2);
    expect(patient.end({ code: null, stderr: "", nowMs: 0 })).toMatchObject({
      class: "permanent",
      message: expect.stringContaining("prompt is too long"),
      sessionUnusable: true,
    });
    expect(play("opencode-overflow-for-ever", { code: null }).outcome?.kind).not.toBe("result");
  });

  it.each([
    ["\u001b[91mError: \u001b[0mSession not found", { class: "permanent", sessionUnusable: true }],
    ["Error: Unexpected error\n\nFailed query: \n CREATE TABLE `workspace` (\nparams: ", { class: "transient" }],
  ])("explains by its standard error what the stream does not say: %s", (stderr, expected) => {
    expect(reader().end({ code: 1, stderr, nowMs: 0 })).toMatchObject(expected);
  });

  it("is left to the base when it says nothing at all", () => {
    expect(reader().end({ code: 0, stderr: "", nowMs: 0 })).toBeNull();
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
