import { join } from "node:path";
import { AUTO_MODEL } from "../../../domain/agent/model.ts";
import { EngineFailure, type ImageContent } from "../../../ports/engine.ts";
import { serverCommand, TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { CliCommand, CliDialect, CliProvider, CliTurn } from "../cli-dialect.ts";
import { claudePermissions } from "./claude-permissions.ts";
import { createClaudeReader } from "./claude-reader.ts";

const LOGIN = "Log in with: claude, then /login; or set ANTHROPIC_API_KEY";

/** Claude Code, as of 2.1: `claude -p` with everything long or secret in files of the turn. */
export const claudeDialect: CliDialect = {
  name: "claude",
  title: "Claude Code",
  program: "claude",
  install: "Install it with: npm install -g @anthropic-ai/claude-code",
  login: LOGIN,
  passes: [
    "ANTHROPIC_*",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_BEARER_TOKEN_BEDROCK",
    "CLOUD_ML_REGION",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_PROJECT",
  ],
  sets: {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // Text of other agents must not become "@path", which would put files into the prompt.
    CLAUDE_CODE_DISABLE_ATTACHMENTS: "1",
    // By default it retries for minutes. Here the loop decides how long to wait, for all engines alike.
    CLAUDE_CODE_MAX_RETRIES: "2",
  },
  command,
  reader: (session) => createClaudeReader(LOGIN, session),
  probe: {
    versionArgs: ["--version"],
    keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    status: { args: ["auth", "status"], loggedIn: (output) => !/"loggedIn":\s*false/.test(output) },
  },
};

function command(turn: CliTurn): CliCommand {
  const { agent, system, prompt, images, endpoint, mcpServers, provider, session, folder, cwd, privateFolders } = turn;
  const model = claudeModel(agent.model);
  const servers = Object.entries(mcpServers).map(([name, server]) => [
    name,
    "url" in server ? { type: "http", ...server } : serverCommand(server, cwd),
  ]);
  const team =
    endpoint === null
      ? {}
      : {
          [TEAM_SERVER]: {
            type: "http",
            url: endpoint.url,
            headers: { Authorization: `Bearer ${endpoint.token}` },
            // Otherwise the model would have to search for the team's tools before it can use them.
            alwaysLoad: true,
          },
        };
  return {
    args: [
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      "--include-partial-messages",
      "--input-format",
      "stream-json",
      // Permission requests come over standard output instead of a terminal. The model cannot write there.
      "--permission-prompt-tool",
      "stdio",
      "--append-system-prompt-file",
      join(folder, "system.md"),
      "--settings",
      join(folder, "settings.json"),
      "--mcp-config",
      join(folder, "mcp.json"),
      "--strict-mcp-config",
      ...(model === null ? [] : ["--model", model]),
      ...(session === null ? [] : ["--resume", session]),
    ],
    env: {
      ...addressOf(provider),
      ...(agent.maxTokens === undefined ? {} : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(agent.maxTokens) }),
    },
    stdin: `${JSON.stringify({ type: "user", message: { role: "user", content: contentOf(prompt, images) } })}\n`,
    keepsStdinOpen: true,
    files: {
      "system.md": system,
      "settings.json": JSON.stringify({
        permissions: claudePermissions(agent.permissions, Object.keys(mcpServers), privateFolders),
      }),
      "mcp.json": JSON.stringify({ mcpServers: { ...Object.fromEntries(servers), ...team } }),
    },
  };
}

/** The content of a message as the model's protocol writes it. */
function contentOf(prompt: string, images: readonly ImageContent[]) {
  if (images.length === 0) return prompt;
  const blocks = images.map(({ type, data }) => ({
    type: "image",
    source: { type: "base64", media_type: type, data },
  }));
  return [{ type: "text", text: prompt }, ...blocks];
}

/** Removes `anthropic/` and `anthropic:`; the rest is an alias or a name of Claude Code. Null: its own choice. */
function claudeModel(written: string | undefined): string | null {
  const model = (written ?? "").trim().replace(/^anthropic[/:]/, "");
  return model === "" || model === AUTO_MODEL ? null : model;
}

function addressOf(provider: CliProvider | null): Record<string, string | null> {
  if (provider === null) return {};
  const { name, baseUrl, apiKey } = provider;
  if (baseUrl === null && name !== "anthropic") {
    throw new EngineFailure(
      "permanent",
      `Claude Code has no provider "${name}". Use backend: sdk or opencode for it, or give its base_url and api_key.`,
    );
  }
  if (apiKey === null) return {};
  return {
    ANTHROPIC_API_KEY: apiKey,
    ...(baseUrl === null ? {} : { ANTHROPIC_BASE_URL: baseUrl }),
    ANTHROPIC_AUTH_TOKEN: null,
    CLAUDE_CODE_OAUTH_TOKEN: null,
  };
}
