import { describe, expect, it } from "vitest";
import { cursorDialect } from "../../../../src/engines/cli/cursor/cursor-dialect.ts";
import { expectNoResultWhenCutOff, expectSameHoweverCut, replay } from "../../../support/engine/recorded-stream.ts";

const reader = () => cursorDialect.reader(null);
const stream = (...events: unknown[]) =>
  Buffer.from(`${events.map((event) => JSON.stringify({ session_id: "chat-1", ...(event as object) })).join("\n")}\n`);
const assistant = (text: string) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
});

/** As the documentation shows them. */
const whole = stream(
  { type: "system", subtype: "init", apiKeySource: "login", cwd: "/project", model: "Auto", permissionMode: "default" },
  { type: "user", message: { role: "user", content: [{ type: "text", text: "Read it." }] } },
  assistant("I'll read the file."),
  {
    type: "tool_call",
    subtype: "started",
    call_id: "t1",
    tool_call: { readToolCall: { args: { path: "README.md" } } },
  },
  {
    type: "tool_call",
    subtype: "completed",
    call_id: "t1",
    tool_call: { readToolCall: { args: { path: "README.md" }, result: { success: { content: "# Hello" } } } },
  },
  {
    type: "tool_call",
    subtype: "started",
    call_id: "t2",
    tool_call: { function: { name: "write_file", arguments: '{"path":"x"}' } },
  },
  {
    type: "tool_call",
    subtype: "completed",
    call_id: "t2",
    tool_call: { shellToolCall: { args: { command: "rm x" }, result: { rejected: { reason: "not allowed" } } } },
  },
  assistant("It says hello."),
  {
    type: "result",
    subtype: "success",
    duration_ms: 5234,
    is_error: false,
    result: "I'll read the file.It says hello.",
    usage: { inputTokens: 100, outputTokens: 7, cacheReadTokens: 20, cacheWriteTokens: 3 },
  },
);

describe("the stream of Cursor", () => {
  it("is text, calls, and what was said after the last of them", () => {
    const { events, outcome } = replay(reader(), whole);
    expect(events).toEqual([
      { type: "text", text: "I'll read the file." },
      { type: "tool-call", id: "t1", tool: "read", args: { path: "README.md" } },
      { type: "tool-result", id: "t1", tool: "read", content: '{"content":"# Hello"}', isError: false },
      { type: "tool-call", id: "t2", tool: "write_file", args: '{"path":"x"}' },
      { type: "tool-result", id: "t2", tool: "shell", content: '{"reason":"not allowed"}', isError: true },
      { type: "text", text: "It says hello." },
    ]);
    expect(outcome).toMatchObject({
      kind: "result",
      text: "It says hello.",
      session: "chat-1",
      usage: { inputTokens: 123, outputTokens: 7, cachedInputTokens: 20, cost: { basis: "unknown" } },
    });
  });

  it.each([
    ["Error: Authentication required. Please run 'cursor-agent login' first", "permanent", /Log in with/],
    ["You've hit your usage limit", "quota", /usage limit/],
    ["Cannot use this model: gpt-9. Named models unavailable. Free plans can only use Auto", "permanent", /model/],
    ["error: unknown option '--plugin-dir'", "permanent", /Update/],
    ["Error: the service is unavailable", "transient", /unavailable/],
  ])("tells what went wrong by its last words: %s [engine.error-result]", (words, kind, message) => {
    const stderr = `${JSON.stringify({ type: "user", text: "the secret prompt" })}\n${words}\n`;
    const { outcome } = replay(reader(), stream({ type: "system", subtype: "init" }), { code: 1, stderr });
    expect(outcome).toMatchObject({ kind: "failure", class: kind, message: expect.stringMatching(message) });
    expect(JSON.stringify(outcome)).not.toContain("the secret prompt");
  });

  it("never takes what is left of a cut event for words", () => {
    const cut = Buffer.from('{"type":"user","message":"the secret pro');
    expect(replay(reader(), cut, { code: 1, stderr: 'secret prompt"}\n' }).outcome).toBeNull();
  });

  it("is a failure when the result says so, whatever the exit code [engine.error-result]", () => {
    const { outcome } = replay(reader(), stream({ type: "result", is_error: true, result: "rate limit, try again" }));
    expect(outcome).toMatchObject({ kind: "failure", class: "transient" });
  });

  it("says when the chat is gone, so that another is begun", () => {
    expect(reader().end({ code: 1, stderr: "Chat chat-1 not found", nowMs: 0 })).toMatchObject({
      sessionUnusable: true,
    });
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
