import { describe, expect, it } from "vitest";
import { fillIn } from "../../../src/domain/rule/fill-in.ts";
import { matches, scopeOf, type RuleEvent, type RuleCondition } from "../../../src/domain/rule/rule.ts";
import { refused, value } from "../../support/result.ts";

const said: RuleEvent = { on: "message", id: "msg_1", from: "bob", text: "It is READY, @alice", mentions: ["alice"] };
const wrote: RuleEvent = { on: "document", file: "notes.md", from: "bob" };
const voted: RuleEvent = { on: "ballot", id: "bal_1", title: "Merge?", state: "resolved", winner: "now" };

describe("a rule's condition", () => {
  it.each<[RuleCondition, RuleEvent, boolean]>([
    [{ on: "message" }, said, true],
    [{ on: "message", from: "bob", contains: "ready", mentions: "alice" }, said, true],
    [{ on: "message", from: "alice" }, said, false],
    [{ on: "message", contains: "done" }, said, false],
    [{ on: "message", mentions: "carol" }, said, false],
    [{ on: "message" }, { ...said, from: "system" }, false],
    [{ on: "message" }, { ...said, from: "rule:other" }, false],
    [{ on: "message" }, wrote, false],
    [{ on: "document", file: "notes.md", from: "bob" }, wrote, true],
    [{ on: "document", file: "plan.md" }, wrote, false],
    [{ on: "ballot", state: "resolved", winner: "now" }, voted, true],
    [{ on: "ballot", winner: "later" }, voted, false],
  ])("%j on %j: %s", (condition, happening, expected) => {
    expect(matches(condition, happening)).toBe(expected);
  });
});

it("fills the placeholders of data in once, and refuses names that stand for nothing", () => {
  const scope = scopeOf({ ...said, text: "${{ message.from }}" }, { rule: "r", workspace: "review" });
  const data = {
    message: "${{ message.from }}: ${{ message.text }} (${{ workspace.name }})",
    list: ["${{ rule.name }}", 1],
  };
  expect(value(fillIn(data, scope))).toEqual({ message: "bob: ${{ message.from }} (review)", list: ["r", 1] });
  expect(refused(fillIn({ a: "${{ document.file }}" }, scope)).message).toContain("document.file");
  expect(refused(fillIn({ a: "${{ env.HOME }}" }, scope)).message).toContain("HOME");
  expect(refused(fillIn({ a: "${{ env.HOME }}" }, scope)).message).toBe("${{ env.HOME }} is not defined.");
  expect(refused(fillIn({ a: "${{ nope }}" }, scope)).hint).not.toContain("env.");
});
