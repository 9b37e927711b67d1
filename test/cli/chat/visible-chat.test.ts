import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatFrame } from "../../../src/cli/chat/view/chat-view.ts";
import { rowText } from "../../../src/cli/screen/frame.ts";
import { runs } from "../../property.ts";
import { agent, approval, ChatScript, message } from "../../support/chat/chat-script.ts";

const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** The styles of a row, and nothing else that begins with an escape. */
const STYLE = new RegExp(String.raw`\u001b\[\d+(?:;\d+)*m`, "g");
const nasty = fc.string({ unit: "binary", maxLength: 60 });
const words = fc.array(
  fc.oneof(
    nasty,
    fc.constantFrom("\u001b[2J", "\u001b]0;title\u0007", "\r", "\u202e", "**", "`", "```\n", "- ", "\n", "@alice "),
  ),
  { maxLength: 12 },
);

describe("text of anybody in the chat", () => {
  it("moves no cursor, clears nothing and turns no direction, wherever it is shown [terminal.text]", () => {
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join("");
        const view = approval("apr_1", { command: text, note: text }, { tool: text });
        const live = { run: "run_1", space: "alice", agent: "alice" };
        const work = { run: "run_1", space: "alice", message: text, since: "2026-01-02T03:04:05.000Z" };
        const chat = new ChatScript().on(
          { type: "connection", connection: "connected" },
          { type: "team", agents: [agent("alice", { state: "running", work })], workspaces: [], workflows: [] },
          { type: "open", space: "alice" },
          { type: "messages", space: "alice", messages: [message(1, "alice", text)] },
          { type: "live", event: { ...live, type: "tool-call", id: "c", tool: text, args: { text } } },
          { type: "live", event: { ...live, type: "tool-result", id: "c", tool: text, content: text, isError: true } },
          { type: "live", event: { ...live, type: "text", text } },
          { type: "decisions", decisions: [{ kind: "approval", id: "apr_1", space: "alice", view }] },
          { type: "note", space: "alice", text, style: "bad" },
          { type: "key", key: { kind: "text", text, pasted: true } },
        );
        for (const unfolded of [false, true]) {
          for (const line of chatFrame({ ...chat.state, unfolded }).lines) {
            expect(rowText(line, true).replaceAll(STYLE, "")).not.toMatch(OBEYED);
          }
        }
      }),
      runs(200),
    );
  });
});
