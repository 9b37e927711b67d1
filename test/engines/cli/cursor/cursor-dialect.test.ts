import { describe, expect, it } from "vitest";
import { cursorDialect } from "../../../../src/engines/cli/cursor/cursor-dialect.ts";
import { cliTurn } from "../../../support/engine/cli-turn.ts";

const command = (...turn: Parameters<typeof cliTurn>) => cursorDialect.command(cliTurn(...turn));
const after = (args: readonly string[], flag: string) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : null);
const fileOf = (turn: Parameters<typeof cliTurn>[0], name: string): unknown =>
  JSON.parse(command(turn).files?.[name] ?? "");

describe("the command of Cursor", () => {
  it.each([
    [undefined, null],
    ["auto", null],
    ["sonnet-4.5", "sonnet-4.5"],
    ["cursor/composer-2", "composer-2"],
    ["openai:gpt-9", "gpt-9"],
  ])("names the model as the program does: %s [engine.model-names]", (model, expected) => {
    expect(after(command({ agent: model === undefined ? {} : { model } }).args, "--model")).toBe(expected);
  });

  it("brings servers in a plugin and permissions in a folder of its own, and no secret in the arguments [engine.user-config]", () => {
    const turn = { mcpServers: { files: { command: "serve", env: { KEY: "s3cret" } }, web: { url: "https://x/mcp" } } };
    const { args, env } = command(turn);
    expect(args.join(" ")).not.toMatch(/run-token-1|s3cret|You are Alice|Go\./);
    expect(after(args, "--plugin-dir")).toBe("/turn/plugin");
    expect(env).toEqual({ CURSOR_CONFIG_DIR: "/turn/config" });
    expect(fileOf(turn, "plugin/.cursor-plugin/plugin.json")).toEqual({ name: "agent-worker", mcpServers: "mcp.json" });
    expect(fileOf(turn, "plugin/mcp.json")).toEqual({
      mcpServers: {
        files: { command: "serve", args: [], env: { KEY: "s3cret" } },
        web: { url: "https://x/mcp" },
        "agent-worker": { url: "http://127.0.0.1:5099/mcp", headers: { Authorization: "Bearer run-token-1" } },
      },
    });
  });

  it("speaks of permissions in Cursor's words, and forces only what a person wrote", () => {
    const permissions = {
      mode: "host",
      allow: ["bash(git status*)", "write_file(src/**)"],
      ask: ["bash(git push*)"],
      deny: ["read_file(.env)", "bash(rm *)"],
    } as const;
    expect(fileOf({ agent: { permissions } }, "config/cli-config.json")).toMatchObject({
      permissions: {
        allow: [
          "Read(**)",
          "Mcp(agent-worker:*)",
          "Mcp(plugin-agent-worker-agent-worker:*)",
          "Shell(git:status*)",
          "Write(src/**)",
        ],
        deny: expect.arrayContaining([
          "Shell(git)",
          "Read(.env)",
          "Shell(rm)",
          "Read(**/.env*)",
          "Read(.agents/bob/**)",
        ]),
      },
    });
    const forced = (mode: "host" | "virtual", allow: readonly string[]) =>
      command({ agent: { permissions: { mode, allow } } }).args.includes("--force");
    expect(forced("host", ["*"])).toBe(true);
    expect(forced("virtual", ["*"])).toBe(false);
    expect(forced("host", ["bash"])).toBe(false);
    expect(() => command({ agent: { permissions: { allow: ["bash(ls)"] } } })).toThrow(/cannot keep to/);
  });

  it("refuses an address of models, which it could not use", () => {
    const provider = { name: "mine", baseUrl: "https://models.example", apiKey: "k" };
    expect(() => command({ provider })).toThrow(/its own service only/);
  });
});
