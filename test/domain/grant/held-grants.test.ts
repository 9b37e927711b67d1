import { describe, expect, it } from "vitest";
import { formatGrant, formatRevocation, readGrant, readRevocation } from "../../../src/domain/grant/grant.ts";
import { grantedTools, grantsAfter } from "../../../src/domain/grant/held-grants.ts";

const grant = (sender: string, agent: string, tools: string[], handOn = false) =>
  ({ kind: "grant", sender, body: `${formatGrant({ agent, tools, handOn })}\nwhy not` }) as const;
const revoke = (sender: string, agent: string, tools: string[]) =>
  ({ kind: "revoke", sender, body: formatRevocation({ agent, tools }) }) as const;
const held = (messages: Parameters<typeof grantsAfter>[0]): string[] =>
  grantsAfter(messages)
    .map(({ agent, tool, handOn, givenBy }) => `${agent} ${tool} ${givenBy}${handOn ? " on" : ""}`)
    .toSorted();

describe("the text of a grant", () => {
  it("is read as it was written", () => {
    for (const handOn of [true, false]) {
      for (const tools of [["rule_add"], ["rule_add", "rule_list"]]) {
        const given = { agent: "nora-2", tools, handOn };
        expect(readGrant(formatGrant(given))).toEqual(given);
        expect(readRevocation(formatRevocation(given))).toEqual({ agent: "nora-2", tools });
      }
    }
  });

  it("is its first line only", () => {
    expect(readGrant("hello\nnora may use rule_add.")).toBeUndefined();
    expect(readGrant("nora may use rule_add. And more.")).toBeUndefined();
  });
});

describe("what is held after some messages", () => {
  it("follows from grants and revocations in their order", () => {
    const messages = [grant("user", "nora", ["a", "b"]), revoke("user", "nora", ["a"]), grant("user", "nora", ["c"])];
    expect(held(messages)).toEqual(["nora b user", "nora c user"]);
    expect(held(messages.slice(0, 1))).toEqual(["nora a user", "nora b user"]);
  });

  it("is not changed by a message of another kind with the same words", () => {
    expect(held([{ kind: "message", sender: "user", body: "nora may use a." }])).toEqual([]);
    expect(held([grant("user", "nora", ["a"]), { ...revoke("ben", "nora", ["a"]), kind: "message" }])).toEqual([
      "nora a user",
    ]);
  });

  it("never shrinks by a grant, and a person's stays a person's", () => {
    const messages = [grant("user", "nora", ["a"], true), grant("ben", "nora", ["a"])];
    expect(held(messages)).toEqual(["nora a user on"]);
    expect(held([grant("nora", "ben", ["a"]), grant("user", "ben", ["a"])])).toEqual(["ben a user"]);
  });

  it("ends for everybody who has it from the one it is taken from", () => {
    const messages = [
      grant("user", "nora", ["a", "b"], true),
      grant("nora", "ben", ["a", "b"], true),
      grant("ben", "cleo", ["a"]),
      grant("user", "dora", ["a"]),
    ];
    expect(held([...messages, revoke("user", "nora", ["a"])])).toEqual([
      "ben b nora on",
      "dora a user",
      "nora b user on",
    ]);
  });

  it("gives whoever may hand on something the tools for it", () => {
    expect(grantedTools([{ tool: "a", handOn: false }])).toEqual(["a"]);
    expect(grantedTools([{ tool: "a", handOn: true }])).toEqual(["a", "grant", "revoke"]);
  });
});
