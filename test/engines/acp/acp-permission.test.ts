import { describe, expect, it } from "vitest";
import type { Permissions } from "../../../src/domain/agent/definition.ts";
import { acpCall } from "../../../src/engines/acp/acp-call.ts";
import { permissionOutcome } from "../../../src/engines/acp/acp-permission.ts";
import { teamTool, type RequestedCall } from "../../../src/engines/acp/acp-turn.ts";
import { decideCall } from "../../../src/engines/shared/program-call.ts";

const wanted = (call: Partial<RequestedCall>): RequestedCall => ({
  tool: "tool",
  isTeamTool: false,
  kind: null,
  paths: [],
  args: {},
  ...call,
});

async function decision(call: Partial<RequestedCall>, permissions?: Permissions): Promise<string> {
  const judged = acpCall(wanted(call));
  return judged === null ? "allow" : (await decideCall(permissions, judged, "/project", () => null)).decision;
}

describe("what an ACP agent may", () => {
  it.each<[string, Partial<RequestedCall>, Permissions | undefined, string]>([
    ["look without a rule", { kind: "read", paths: ["/project/a"] }, undefined, "allow"],
    ["not look where it is denied", { kind: "read", args: { path: ".env" } }, { deny: ["read_file(.env)"] }, "deny"],
    ["look where it is asked", { kind: "read", args: { path: ".env" } }, { ask: ["read_file(.env)"] }, "ask"],
    ["ask to write without a rule", { kind: "edit", paths: ["/project/a"] }, undefined, "ask"],
    [
      "write where a rule says",
      { kind: "edit", paths: ["/project/src/a"] },
      { allow: ["write_file(src/**)"] },
      "allow",
    ],
    [
      "ask for one place of two",
      { kind: "move", paths: ["/project/src/a", "/etc/a"] },
      { allow: ["write_file(src/**)"] },
      "ask",
    ],
    ["run nothing in a virtual shell", { kind: "execute", args: { command: "ls" } }, { mode: "virtual" }, "deny"],
    ["run what a rule says", { kind: "execute", args: { command: "ls -l" } }, { allow: ["bash(ls *)"] }, "allow"],
    ["ask for what it does not show", { kind: "execute", args: { command: ["ls"] } }, { allow: ["bash(ls*)"] }, "ask"],
    [
      "not run what is denied though all is allowed",
      { kind: "execute", args: { command: "rm x" } },
      { mode: "host", allow: ["*"], deny: ["bash(rm *)"] },
      "deny",
    ],
    ["ask", { kind: "execute", args: { command: "ls" } }, { allow: ["bash"], ask: ["bash(ls)"] }, "ask"],
    ["use another tool by its name", { kind: "other" }, { allow: ["tool"] }, "allow"],
    ["ask for another tool without a rule", { kind: "fetch" }, undefined, "ask"],
  ])("%s", async (_name, call, permissions, expected) => {
    expect(await decision(call, permissions)).toBe(expected);
  });

  it("use the team's tools, which decide for themselves, but run nothing in their name", async () => {
    expect(await decision({ kind: "other", isTeamTool: true })).toBe("allow");
    expect(await decision({ kind: "execute", args: { command: "ls" }, isTeamTool: true })).toBe("ask");
  });

  it("be asked about, with what would be done and nothing that is only said about it", () => {
    const command = acpCall(wanted({ kind: "execute", args: { command: "ls", description: "Lists files" } }));
    expect(command).toMatchObject({ tool: "bash", args: { command: "ls" } });
    expect(acpCall(wanted({ kind: "delete", paths: ["a"] }))).toMatchObject({ tool: "delete", args: { paths: ["a"] } });
    expect(acpCall(wanted({ kind: "other" }))).toMatchObject({ tool: "tool", args: { title: "tool" } });
  });

  it("be told once, not for ever, and of the end of its turn when it has to wait", () => {
    const options = [
      { optionId: "a", name: "Always", kind: "allow_always" as const },
      { optionId: "y", name: "Yes", kind: "allow_once" as const },
      { optionId: "n", name: "No", kind: "reject_once" as const },
    ];
    expect(permissionOutcome({ kind: "allow" }, options)).toEqual({ outcome: "selected", optionId: "y" });
    expect(permissionOutcome({ kind: "refuse", reason: "x" }, options)).toEqual({ outcome: "selected", optionId: "n" });
    expect(permissionOutcome({ kind: "wait" }, options)).toEqual({ outcome: "cancelled" });
    expect(permissionOutcome({ kind: "allow" }, [])).toEqual({ outcome: "cancelled" });
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
