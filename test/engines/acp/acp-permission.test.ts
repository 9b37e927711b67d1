import type { ToolCallUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import type { Permissions } from "../../../src/domain/agent/definition.ts";
import { answerPermission } from "../../../src/engines/acp/acp-permission.ts";
import { teamTool } from "../../../src/engines/acp/acp-team-tool.ts";

const options = [
  { optionId: "a", name: "Always", kind: "allow_always" as const },
  { optionId: "y", name: "Yes", kind: "allow_once" as const },
  { optionId: "n", name: "No", kind: "reject_once" as const },
];
const answer = (
  call: Omit<ToolCallUpdate, "toolCallId">,
  permissions?: Permissions,
  { tool = "tool", isTeamTool = false } = {},
) =>
  answerPermission(
    { toolCall: { toolCallId: "1", ...call }, options },
    { permissions, cwd: "/project", tool, isTeamTool },
  );
const allowed = (...args: Parameters<typeof answer>): boolean => answer(...args).refusal === null;

describe("what an ACP agent may", () => {
  it.each<[string, Omit<ToolCallUpdate, "toolCallId">, Permissions | undefined, boolean]>([
    ["look without a rule", { kind: "read", locations: [{ path: "/project/a" }] }, undefined, true],
    ["not look where it is denied", { kind: "read", rawInput: { path: ".env" } }, { deny: ["read_file(.env)"] }, false],
    ["not write without a rule", { kind: "edit", locations: [{ path: "/project/a" }] }, undefined, false],
    [
      "write where a rule says",
      { kind: "edit", locations: [{ path: "/project/src/a" }] },
      { allow: ["write_file(src/**)"] },
      true,
    ],
    [
      "not write to one place of two",
      { kind: "move", locations: [{ path: "/project/src/a" }, { path: "/etc/a" }] },
      { allow: ["write_file(src/**)"] },
      false,
    ],
    [
      "not run without a rule, on the host as elsewhere",
      { kind: "execute", rawInput: { command: "ls" } },
      { mode: "virtual" },
      false,
    ],
    ["run what a rule says", { kind: "execute", rawInput: { command: "ls -l" } }, { allow: ["bash(ls *)"] }, true],
    [
      "not run what it does not show",
      { kind: "execute", rawInput: { command: ["ls"] } },
      { allow: ["bash(ls*)"] },
      false,
    ],
    [
      "not run what is denied though all is allowed",
      { kind: "execute", rawInput: { command: "rm x" } },
      { allow: ["*"], deny: ["bash(rm *)"] },
      false,
    ],
    ["not ask", { kind: "execute", rawInput: { command: "ls" } }, { allow: ["bash"], ask: ["bash(ls)"] }, false],
    ["use another tool by its name", { kind: "other" }, { allow: ["tool"] }, true],
    ["not use another tool without a rule", { kind: "fetch" }, undefined, false],
  ])("%s", (_name, call, permissions, expected) => {
    expect(allowed(call, permissions)).toBe(expected);
  });

  it("use the team's tools, which decide for themselves, but run nothing in their name", () => {
    expect(allowed({ kind: "other" }, undefined, { isTeamTool: true })).toBe(true);
    expect(allowed({ kind: "execute", rawInput: { command: "ls" } }, undefined, { isTeamTool: true })).toBe(false);
  });

  it("is allowed once, not for ever, and is told when there is no way to say so", () => {
    expect(answer({ kind: "read" }).outcome).toEqual({ outcome: "selected", optionId: "y" });
    expect(answer({ kind: "edit" }).outcome).toEqual({ outcome: "selected", optionId: "n" });
    const none = answerPermission(
      { toolCall: { toolCallId: "1", kind: "read" }, options: [] },
      { permissions: undefined, cwd: "/project", tool: "x", isTeamTool: false },
    );
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
