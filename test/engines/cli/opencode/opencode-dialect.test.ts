import { describe, expect, it } from "vitest";
import { opencodeDialect } from "../../../../src/engines/cli/opencode/opencode-dialect.ts";
import { cliTurn } from "../../../support/engine/cli-turn.ts";

const command = (...turn: Parameters<typeof cliTurn>) => opencodeDialect.command(cliTurn(...turn));
const after = (args: readonly string[], flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : null);
const configOf = (...turn: Parameters<typeof cliTurn>) =>
  JSON.parse(command(...turn).env?.OPENCODE_CONFIG_CONTENT ?? "") as Readonly<Record<string, unknown>>;
const permissionsOf = (permissions: NonNullable<Parameters<typeof cliTurn>[0]>["agent"] & object) =>
  (configOf({ agent: permissions }).agent as Record<string, { permission: unknown }>)["agent-worker"]?.permission;

describe("the command of OpenCode", () => {
  it.each([
    [{}, null],
    [{ model: "auto" }, null],
    [{ model: "anthropic/claude-opus-5" }, "anthropic/claude-opus-5"],
    [{ model: "anthropic:claude-opus-5" }, "anthropic/claude-opus-5"],
    [{ model: "openrouter/anthropic/claude" }, "openrouter/anthropic/claude"],
    [{ model: "gpt-9", provider: { name: "openai" } }, "openai/gpt-9"],
    [{ model: "openai/gpt-9", provider: { name: "openai" } }, "openai/gpt-9"],
    [{ model: "meta/llama", provider: { name: "openrouter" } }, "openrouter/meta/llama"],
  ])("names the model as the program does: %j [engine.model-names]", (agent, expected) => {
    expect(after(command({ agent }).args, "--model")).toBe(expected);
  });

  it("refuses a model whose provider it cannot know", () => {
    expect(() => command({ agent: { model: "opus" } })).toThrow(/needs the provider of the model "opus"/);
  });

  it("keeps prompt, system prompt and secrets out of arguments and environment [engine.user-config]", () => {
    const turn = {
      system: 'You are "Alice". {file:/etc/passwd}',
      provider: { name: "mine", baseUrl: "https://models.example/v1", apiKey: "k3y" },
      agent: { model: "m1", provider: { name: "mine" } },
      mcpServers: {
        files: { command: "serve", args: ["--all"], env: { KEY: "s3cret" }, cwd: "sub" },
        web: { url: "https://example.com/mcp", headers: { "X-Key": "s3cret" } },
      },
    };
    const { args, env, files, stdin } = command(turn);
    expect(stdin).toBe("Go.");
    expect(`${args.join(" ")} ${env?.OPENCODE_CONFIG_CONTENT}`).not.toMatch(/run-token-1|s3cret|k3y|Alice|Go\./);
    expect(files).toEqual({
      token: "run-token-1",
      "system.md": 'You are "Alice". {file:/etc/passwd}',
      key: "k3y",
      "variable-0-0": "s3cret",
      "header-1-0": "s3cret",
    });
    expect(configOf(turn)).toMatchObject({
      share: "disabled",
      autoupdate: false,
      provider: {
        mine: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: "https://models.example/v1", apiKey: "{file:/turn/key}" },
          models: { m1: {} },
        },
      },
      mcp: {
        files: {
          type: "local",
          command: ["sh", "-c", 'cd -- "$0" && exec "$@"', "/project/sub", "serve", "--all"],
          environment: { KEY: "{file:/turn/variable-0-0}" },
        },
        web: { type: "remote", url: "https://example.com/mcp", headers: { "X-Key": "{file:/turn/header-1-0}" } },
        "agent-worker": {
          type: "remote",
          url: "http://127.0.0.1:5099/mcp",
          headers: { Authorization: "Bearer {file:/turn/token}" },
        },
      },
      agent: { "agent-worker": { mode: "primary", prompt: "{file:/turn/system.md}" } },
    });
  });

  it("goes on with a session under its id, and names a new one itself", () => {
    expect(after(command({ session: "ses_1" }).args, "--session")).toBe("ses_1");
    expect(after(command().args, "--title")).toBe("agent-worker: alice");
  });

  it("without rules lets the agent look and talk to its team, and nothing else", () => {
    expect(permissionsOf({})).toEqual({
      "*": "deny",
      read: expect.objectContaining({
        "*": "allow",
        "*/.env*": "deny",
        ".ssh/*": "deny",
        "*/.agents/bob/*": "deny",
        "*.env.example": "allow",
      }),
      list: "allow",
      glob: "allow",
      grep: "allow",
      skill: "allow",
      todowrite: "allow",
      "agent-worker_*": "allow",
    });
  });

  it("allows and denies as the agent's permissions say, the last rule that matches deciding", () => {
    const permissions = {
      mode: "host",
      allow: ["bash(git *)", "write_file(src/**)", "webfetch"],
      ask: ["bash(git push*)"],
      deny: ["read_file(secrets/**)"],
    } as const;
    expect(permissionsOf({ permissions })).toMatchObject({
      webfetch: "allow",
      bash: { "git *": "allow", "git push*": "deny" },
      edit: { "src/**": "allow" },
      read: { "*": "allow", "secrets/**": "deny", "*/secrets/**": "deny" },
    });
    const bash = (permissionsOf({ permissions }) as Record<string, object>).bash ?? {};
    expect(Object.keys(bash).at(0)).toBe("git *");
    expect(Object.keys(bash).at(-1)).toBe("git push*");
    expect(bash).toMatchObject({ "*--upload-pack*": "deny" });
  });

  it("gives all of the host only where the host is named, and still denies what is denied", () => {
    const of = (mode: "host" | "virtual") =>
      permissionsOf({ permissions: { mode, allow: ["*"], deny: ["bash(rm *)"] } }) as Record<string, unknown>;
    expect(Object.entries(of("host")).slice(-3)).toEqual([
      ["*", "allow"],
      ["read", expect.objectContaining({ "*/.npmrc": "deny" })],
      ["bash", { "rm *": "deny" }],
    ]);
    expect(of("virtual")["*"]).toBe("deny");
  });

  it("refuses a rule it would stretch", () => {
    expect(() => permissionsOf({ permissions: { allow: ["write_file(src/*)"] } })).toThrow(/its \* crosses folders/);
  });
});
