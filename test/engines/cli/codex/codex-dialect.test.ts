import { describe, expect, it } from "vitest";
import { codexDialect } from "../../../../src/engines/cli/codex/codex-dialect.ts";
import { cliTurn } from "../../../support/engine/cli-turn.ts";

const command = (...turn: Parameters<typeof cliTurn>) => codexDialect.command(cliTurn(...turn));
const override = (args: readonly string[], key: string) =>
  args.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1) ?? null;

describe("the command of Codex", () => {
  it.each([
    [undefined, null],
    ["auto", null],
    ["gpt-5.2", "gpt-5.2"],
    ["openai/gpt-5.2", "gpt-5.2"],
    ["openai:gpt-5.2", "gpt-5.2"],
  ])("names the model as the program does: %s [engine.model-names]", (written, expected) => {
    const { args } = command({ agent: written === undefined ? {} : { model: written } });
    expect(args.includes("--model") ? args[args.indexOf("--model") + 1] : null).toBe(expected);
  });

  it("has no prompt and no secret among its arguments [engine.user-config]", () => {
    const { args, env, files, stdin } = command({
      mcpServers: {
        files: { command: "serve", args: ["it's"], env: { KEY: "s3cret'" }, cwd: "sub" },
        web: { url: "https://example.com/mcp", headers: { "X-Key": "s3cret" } },
      },
    });
    expect(args.join(" ")).not.toMatch(/run-token-1|s3cret|Go\./);
    expect(stdin).toBe("Go.");
    expect(args.at(-1)).toBe("-");
    expect(override(args, "mcp_servers.agent-worker")).toContain('"bearer_token_env_var"="AGENT_WORKER_TOKEN"');
    expect(override(args, "mcp_servers.web")).toContain('"env_http_headers"={"X-Key"="AGENT_WORKER_HEADER_1_0"}');
    expect(env).toEqual({ AGENT_WORKER_HEADER_1_0: "s3cret" });
    expect(files?.["server-0.sh"]).toBe(
      String.raw`cd -- '/project/sub' || exit
export KEY='s3cret'\'''
exec 'serve' 'it'\''s'
`,
    );
    expect(() => command({ mcpServers: { "a.b": { url: "http://x" } } })).toThrow(/name of an MCP server/);
  });

  it("adds a system prompt to the program's own, and gives a very long one in a file", () => {
    const short = command({ system: 'Say "ü"\n\x7f' });
    expect(override(short.args, "developer_instructions")).toBe(String.raw`"Say \"ü\"\n\u007f"`);
    const long = command({ system: "x".repeat(40_000) });
    expect(override(long.args, "developer_instructions")).toBeNull();
    expect(override(long.args, "model_instructions_file")).toBe('"/turn/system.md"');
    expect(long.files?.["system.md"]).toHaveLength(40_000);
  });

  it.each([
    ["no permissions", undefined, "read-only"],
    ["the virtual shell", { mode: "virtual", allow: ["*"] }, "read-only"],
    ["the host", { mode: "host" }, "workspace-write"],
    ["some commands on the host", { mode: "host", allow: ["bash(git status*)"] }, "read-only"],
    ["the shell of the host", { mode: "host", allow: ["bash"] }, "workspace-write"],
    ["everything, as written", { mode: "host", allow: ["*"] }, "danger-full-access"],
  ] as const)("runs in the sandbox that fits %s", (_what, permissions, sandbox) => {
    const { args } = command({ agent: permissions === undefined ? {} : { permissions } });
    expect(override(args, "sandbox_mode")).toBe(`"${sandbox}"`);
    expect(override(args, "approval_policy")).toBe('"never"');
  });

  it("refuses rules that it could not keep", () => {
    expect(() => command({ agent: { permissions: { deny: ["bash(rm *)"] } } })).toThrow(
      /cannot keep to the rule "bash\(rm/,
    );
  });

  it("goes on with a session, and starts one where what it is given is none", () => {
    const resumed = command({ session: JSON.stringify({ id: "t-1", used: null }) });
    expect(resumed.args.slice(0, 3)).toEqual(["exec", "resume", "--json"]);
    expect(resumed.args.slice(-2)).toEqual(["t-1", "-"]);
    expect(command({ session: "nonsense" }).args).not.toContain("resume");
  });

  it("takes a key and an address together", () => {
    const { args, env } = command({ provider: { name: "local", baseUrl: "http://127.0.0.1:1/v1", apiKey: "k" } });
    expect(override(args, "model_provider")).toBe('"agent-worker"');
    expect(override(args, "model_providers.agent-worker")).toContain('"env_key"="AGENT_WORKER_MODEL_KEY"');
    expect(env).toEqual({ AGENT_WORKER_MODEL_KEY: "k" });
    expect(
      override(command({ provider: { name: "ollama", baseUrl: null, apiKey: null } }).args, "model_provider"),
    ).toBe('"ollama"');
  });
});
