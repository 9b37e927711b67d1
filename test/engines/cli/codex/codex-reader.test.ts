import { describe, expect, it } from "vitest";
import { codexDialect } from "../../../../src/engines/cli/codex/codex-dialect.ts";
import {
  expectNoResultWhenCutOff,
  expectSameHoweverCut,
  recordedStream,
  replay,
} from "../../../support/engine/recorded-stream.ts";

const reader = (session: string | null = null) => codexDialect.reader(session);
const whole = recordedStream("codex-tool-call");

describe("the stream of Codex", () => {
  it("is messages, calls under the team's names, and a result with what it used", () => {
    const { events, outcome } = replay(reader(), whole);
    expect(events).toEqual([
      { type: "text", text: "Let me look." },
      { type: "tool-call", id: "item_2", tool: "channel_read", args: { limit: 5 } },
      { type: "tool-result", id: "item_2", tool: "channel_read", content: "nothing new", isError: false },
      { type: "text", text: "All done." },
    ]);
    expect(outcome).toMatchObject({
      kind: "result",
      text: "All done.",
      usage: {
        inputTokens: 300,
        outputTokens: 50,
        cachedInputTokens: 120,
        cacheWriteTokens: 0,
        reasoningTokens: 5,
        cost: { basis: "unknown" },
      },
    });
  });

  it("of a session that is gone on with counts the new turn only, though the program adds up [engine.resume]", () => {
    const first = replay(reader(), whole).outcome;
    if (first?.kind !== "result") throw new Error("no result");
    const second = replay(reader(first.session), recordedStream("codex-resumed")).outcome;
    expect(second).toMatchObject({ kind: "result", usage: first.usage });
  });

  it("shows commands, changes of files and failing tools as calls", () => {
    const items = [
      {
        type: "item.started",
        item: { id: "i1", type: "command_execution", command: "npm test", status: "in_progress" },
      },
      {
        type: "item.completed",
        item: { id: "i1", type: "command_execution", command: "npm test", aggregated_output: "1 failed", exit_code: 1 },
      },
      {
        type: "item.completed",
        item: { id: "i2", type: "file_change", changes: [{ path: "a" }], status: "completed" },
      },
      {
        type: "item.completed",
        item: {
          id: "i3",
          type: "mcp_tool_call",
          server: "github",
          tool: "merge",
          arguments: {},
          error: { message: "no" },
        },
      },
    ];
    const { events, outcome } = replay(reader(), Buffer.from(items.map((item) => JSON.stringify(item)).join("\n")));
    expect(events).toEqual([
      { type: "tool-call", id: "i1", tool: "bash", args: { command: "npm test" } },
      { type: "tool-result", id: "i1", tool: "bash", content: "1 failed", isError: true },
      { type: "tool-call", id: "i2", tool: "apply_patch", args: { changes: [{ path: "a" }] } },
      { type: "tool-result", id: "i2", tool: "apply_patch", content: "", isError: false },
      { type: "tool-call", id: "i3", tool: "mcp__github__merge", args: {} },
      { type: "tool-result", id: "i3", tool: "mcp__github__merge", content: "no", isError: true },
    ]);
    expect(outcome).toBeNull();
  });

  it.each([
    ["codex-no-login", "permanent", /401.*Log in with/],
    ["codex-unknown-model", "permanent", /does not exist/],
    ["codex-too-long", "permanent", /exceeds the context window.*context_length_exceeded/],
    ["codex-empty-account", "quota", /Quota exceeded/],
    ["codex-used-up", "quota", /usage limit/],
    ["codex-rate-limit", "transient", /429/],
    ["codex-overloaded", "transient", /high demand/],
    ["codex-connection-lost", "transient", /disconnected/],
  ])("tells what went wrong: %s [engine.error-result]", (name, kind, message) => {
    const { outcome } = replay(reader(), recordedStream(name), { code: 1 });
    expect(outcome).toMatchObject({ kind: "failure", class: kind, message: expect.stringMatching(message) });
  });

  it("tells when to come back, and when another session would help", () => {
    const said = /try again at Nov (\d+)\w+, 2026 (\d+):(\d+) AM/.exec(
      recordedStream("codex-used-up").toString("utf8"),
    );
    const [day, hour, minute] = (said ?? []).slice(1).map(Number);
    expect(replay(reader(), recordedStream("codex-used-up"), { code: 1 }).outcome).toMatchObject({
      resetAtMs: new Date(2026, 10, day, hour, minute).getTime(),
    });
    expect(replay(reader("s"), recordedStream("codex-too-long"), { code: 1 }).outcome).toMatchObject({
      sessionUnusable: true,
    });
    const stderr = "Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1 (code -32600)\n";
    expect(replay(reader("s"), Buffer.from(""), { code: 1, stderr }).outcome).toMatchObject({
      class: "permanent",
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
