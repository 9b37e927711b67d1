import { expect, test } from "vitest";
import { plainWords } from "../../src/mcp/plain-words.ts";

test("data is an outline of names and values, without what says nothing [mcp.words]", () => {
  const data = {
    messages: [
      { from: "alice", content: "two\nlines", resource: null, mentions: [] },
      { from: "bob", content: "short", unread: true },
    ],
    next: null,
    usage: { cost: { usd: null }, runs: 0 },
  };
  expect(plainWords(data)).toBe(
    [
      "messages:",
      "  - from: alice",
      "    content:",
      "      two",
      "      lines",
      "    mentions: none",
      "  - from: bob",
      "    content: short",
      "    unread: yes",
      "usage:",
      "  runs: 0",
    ].join("\n"),
  );
  expect([plainWords({}), plainWords({ agents: [] })]).toEqual(["Done.", "agents: none"]);
});
