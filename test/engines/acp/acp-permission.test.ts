import { describe, expect, it } from "vitest";
import type { Permissions } from "../../../src/domain/agent/definition.ts";
import { answerPermission } from "../../../src/engines/acp/acp-permission.ts";
import type { WantedCall } from "../../../src/engines/acp/acp-turn.ts";
import { teamTool } from "../../../src/engines/acp/acp-team-tool.ts";

const options = [
  { optionId: "a", name: "Always", kind: "allow_always" as const },
  { optionId: "y", name: "Yes", kind: "allow_once" as const },
  { optionId: "n", name: "No", kind: "reject_once" as const },
];
const answer = (call: Partial<WantedCall>, permissions?: Permissions) =>
  answerPermission({ tool: "tool", isTeamTool: false, kind: null, paths: [], args: {}, ...call }, options, {
    cwd: "/project",
    agent: permissions === undefined ? {} : { permissions },
  });
const allowed = (...args: Parameters<typeof answer>): boolean => answer(...args).refusal === null;

describe("what an ACP agent may", () => {
  it.each<[string, Partial<WantedCall>, Permissions | undefined, boolean]>([
    ["look without a rule", { kind: "read", paths: ["/project/a"] }, undefined, true],
    ["not look where it is denied", { kind: "read", args: { path: ".env" } }, { deny: ["read_file(.env)"] }, false],
    ["not write without a rule", { kind: "edit", paths: ["/project/a"] }, undefined, false],
    ["write where a rule says", { kind: "edit", paths: ["/project/src/a"] }, { allow: ["write_file(src/**)"] }, true],
    [
      "not write to one place of two",
      { kind: "move", paths: ["/project/src/a", "/etc/a"] },
      { allow: ["write_file(src/**)"] },
      false,
    ],
    [
      "not run without a rule, on the host as elsewhere",
      { kind: "execute", args: { command: "ls" } },
      { mode: "virtual" },
      false,
    ],
    ["run what a rule says", { kind: "execute", args: { command: "ls -l" } }, { allow: ["bash(ls *)"] }, true],
    ["not run what it does not show", { kind: "execute", args: { command: ["ls"] } }, { allow: ["bash(ls*)"] }, false],
    [
      "not run what is denied though all is allowed",
      { kind: "execute", args: { command: "rm x" } },
      { allow: ["*"], deny: ["bash(rm *)"] },
      false,
    ],
    ["not ask", { kind: "execute", args: { command: "ls" } }, { allow: ["bash"], ask: ["bash(ls)"] }, false],
    ["use another tool by its name", { kind: "other" }, { allow: ["tool"] }, true],
    ["not use another tool without a rule", { kind: "fetch" }, undefined, false],
  ])("%s", (_name, call, permissions, expected) => {
    expect(allowed(call, permissions)).toBe(expected);
  });

  it("use the team's tools, which decide for themselves, but run nothing in their name", () => {
    expect(allowed({ kind: "other", isTeamTool: true })).toBe(true);
    expect(allowed({ kind: "execute", args: { command: "ls" }, isTeamTool: true })).toBe(false);
  });

  it("is allowed once, not for ever, and is told when there is no way to say so", () => {
    expect(answer({ kind: "read" }).outcome).toEqual({ outcome: "selected", optionId: "y" });
    expect(answer({ kind: "edit" }).outcome).toEqual({ outcome: "selected", optionId: "n" });
    const call = { tool: "x", isTeamTool: false, kind: "read", paths: [], args: {} };
    const none = answerPermission(call, [], { cwd: "/project", agent: {} });
    expect(none.outcome).toEqual({ outcome: "cancelled" });
  });

  it.each([
    ["agent-worker_channel_send", "channel_send"],
    ["mcp__agent-worker__channel_send", "channel_send"],
    ["agent-worker/channel_send", "channel_send"],
    ["channel_send (agent-worker MCP Server)", "channel_send"],
    ["channel_send", null],
    ["agent-worker_other", null],
  ])("knows a tool of the team by any of its names: %s", (name, expected) => {
    expect(teamTool(name, new Set(["channel_send"]))).toBe(expected);
  });
});
