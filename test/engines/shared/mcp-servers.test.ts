import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { programServers, serverCommand } from "../../../src/engines/shared/mcp-servers.ts";
import { loginVariables } from "../../../src/engines/shared/program-environment.ts";

describe("an MCP server that a program starts", () => {
  it("does not get the login of the program, nor the token of the run [child.environment]", () => {
    const env = { ANTHROPIC_API_KEY: "k1", ANTHROPIC_AUTH_TOKEN: "k2", PATH: process.env["PATH"], OTHER: "o" };
    const agent = {
      name: "alice",
      mcpServers: { s: { command: "env", env: { ANTHROPIC_AUTH_TOKEN: "$ANTHROPIC_AUTH_TOKEN" } } },
    };
    const { s } = programServers(agent, env, loginVariables({ passes: ["ANTHROPIC_*"] }, env));
    if (s === undefined || !("command" in s)) throw new Error("no command");
    const { command, args, env: own } = serverCommand(s, "/");
    // As a program would start it: with its own environment.
    const inherited = { ...env, AGENT_WORKER_TOKEN: "t" };
    const { stdout } = spawnSync(command, args, { env: { ...inherited, ...own }, encoding: "utf8" });
    expect(stdout).toContain("ANTHROPIC_AUTH_TOKEN=k2");
    expect(stdout).toContain("OTHER=o");
    expect(stdout).not.toMatch(/ANTHROPIC_API_KEY|AGENT_WORKER_TOKEN/);
  });
});
