import { describe, expect, it } from "vitest";
import { firstState, type ChatEvent, type ChatState } from "../../../src/cli/chat/model/chat-state.ts";
import { update } from "../../../src/cli/chat/model/update.ts";
import { plainOutput } from "../../../src/cli/chat/view/plain-output.ts";
import { agent, approval, message } from "../../support/chat/chat-script.ts";

describe("the chat as plain lines", () => {
  it("prints each thing once, when it is new [terminal.plain]", () => {
    let state: ChatState = firstState("shop", { columns: 80, rows: 24 }, 0);
    const printed = (event: ChatEvent): string[] => {
      const before = state;
      ({ state } = update(state, event));
      return plainOutput(before, state);
    };
    const view = approval("apr_1", { command: "npm test" });
    const work = { run: "run_1", space: "alice", message: "hi", since: "2026-01-02T03:04:05.000Z" };
    expect(printed({ type: "open", space: "alice" })).toEqual(["In alice:"]);
    expect(printed({ type: "messages", space: "alice", messages: [message(1, "alice", "**hello**")] })).toEqual([
      expect.stringMatching(/^alice {2}\d\d:\d\d {2}#1$/),
      "  hello",
    ]);
    expect(printed({ type: "tick", now: 1000 })).toEqual([]);
    const team = {
      type: "team" as const,
      agents: [agent("alice", { state: "running", work })],
      workspaces: [],
      workflows: [],
    };
    expect(printed(team)).toEqual(["alice begins to work."]);
    expect(printed(team)).toEqual([]);
    expect(
      printed({ type: "decisions", decisions: [{ kind: "approval", id: "apr_1", space: "alice", view }] }),
    ).toEqual([
      "┃ alice asks to call a tool",
      "┃ bash",
      "┃ $ npm test",
      "To decide, type y yes · n no · r until this run ends · a always; or /approve apr_1 or /deny apr_1.",
    ]);
    expect(printed({ type: "connection", connection: "lost" })).toEqual([
      expect.stringContaining("The daemon is gone"),
    ]);
    expect(printed({ type: "connection", connection: "connected" })).toEqual(["The daemon is there again."]);
  });
});
