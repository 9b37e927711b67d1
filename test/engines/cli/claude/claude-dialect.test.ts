import { describe, expect, it } from "vitest";
import { checkVariable } from "../../../../src/domain/agent/variable-names.ts";
import { claudeDialect } from "../../../../src/engines/cli/claude/claude-dialect.ts";
import { cliTurn } from "../../../support/engine/cli-turn.ts";

const command = (...turn: Parameters<typeof cliTurn>) => claudeDialect.command(cliTurn(...turn));
const after = (args: readonly string[], flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : null);
const fileOf = (turn: Parameters<typeof cliTurn>[0], name: string): unknown =>
  JSON.parse(command(turn).files?.[name] ?? "");

describe("the command of Claude Code", () => {
  it.each([
    [undefined, null],
    ["auto", null],
    ["sonnet", "sonnet"],
    ["anthropic/claude-opus-5", "claude-opus-5"],
    ["anthropic:claude-opus-5", "claude-opus-5"],
    ["openrouter/anthropic/claude", "openrouter/anthropic/claude"],
  ])("names the model as the program does: %s [engine.model-names]", (written, expected) => {
    const agent = written === undefined ? {} : { model: written };
    expect(after(command({ agent }).args, "--model")).toBe(expected);
  });

  it("has no prompt and no secret among its arguments, and only the servers it was given [engine.user-config]", () => {
    const turn = {
      mcpServers: {
        files: { command: "serve", args: ["--all"], env: { KEY: "s3cret" }, cwd: "sub" },
        web: { url: "https://example.com/mcp", headers: { "X-Key": "s3cret" } },
      },
    };
    const { args, files } = command(turn);
    expect(args.join(" ")).not.toMatch(/run-token-1|s3cret|You are Alice|Go\./);
    expect(args).toContain("--strict-mcp-config");
    expect(after(args, "--mcp-config")).toBe("/turn/mcp.json");
    expect(files?.["system.md"]).toBe("You are Alice.");
    expect(fileOf(turn, "mcp.json")).toEqual({
      mcpServers: {
        "agent-worker": {
          type: "http",
          url: "http://127.0.0.1:5099/mcp",
          headers: { Authorization: "Bearer run-token-1" },
          alwaysLoad: true,
        },
        files: {
          command: "sh",
          args: ["-c", 'cd -- "$0" && exec "$@"', "/project/sub", "serve", "--all"],
          env: { KEY: "s3cret" },
        },
        web: { type: "http", url: "https://example.com/mcp", headers: { "X-Key": "s3cret" } },
      },
    });
  });

  it("allows what the agent's permissions say, in its own words, and everything only where that is written", () => {
    const permissions = {
      mode: "host",
      allow: ["bash(git status*)", "write_file(src/**)", "WebFetch"],
      ask: ["bash(git push*)"],
      deny: ["read_file(.env)"],
    } as const;
    expect(fileOf({ agent: { permissions }, mcpServers: { web: { url: "http://x" } } }, "settings.json")).toMatchObject(
      {
        permissions: {
          allow: ["mcp__agent-worker", "mcp__web", "WebFetch"],
          ask: ["Bash(git push*)"],
          deny: expect.arrayContaining([
            "Read(//**/.env*)",
            "Read(//**/.ssh/**)",
            "Read(//project/.agents/bob/**)",
            "Read(.env)",
            "SendMessage",
            "ScheduleWakeup",
            "AskUserQuestion",
          ]),
        },
      },
    );
    const { args } = command({ agent: { permissions: { mode: "host", allow: ["*"] } } });
    expect(after(args, "--permission-prompt-tool")).toBe("stdio");
    expect(args.join(" ")).not.toMatch(/bypass|dangerous/);
  });

  it("takes a key and an address together, and no other login to that address", () => {
    const provider = { name: "gateway", baseUrl: "https://gateway.example", apiKey: "k" };
    expect(command({ provider }).env).toEqual({
      ANTHROPIC_BASE_URL: "https://gateway.example",
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_AUTH_TOKEN: null,
      CLAUDE_CODE_OAUTH_TOKEN: null,
    });
    expect(() => command({ provider: { name: "openai", baseUrl: null, apiKey: null } })).toThrow(
      /no provider "openai"/,
    );
  });

  it("lets nothing in the prompt become a file", () => {
    expect(claudeDialect.sets).toMatchObject({ CLAUDE_CODE_DISABLE_ATTACHMENTS: "1" });
    expect(checkVariable("CLAUDE_CODE_DISABLE_ATTACHMENTS", "0")).toMatchObject({ ok: false });
  });
});
