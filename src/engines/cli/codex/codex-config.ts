import { join, resolve } from "node:path";
import type { McpServer, Permissions } from "../../../domain/agent/definition.ts";
import { allowsEverything } from "../../../domain/agent/permission.ts";
import { EngineFailure } from "../../../ports/engine.ts";
import { TEAM_SERVER } from "../../shared/mcp-servers.ts";
import type { CliProvider, CliTurn } from "../cli-dialect.ts";

/**
 * What a turn adds to the person's own configuration of Codex, whose files are not changed. It is passed with `-c`,
 * which any user of the machine can read: secrets are in variables or in files of the turn and only named here.
 */
export interface CodexConfig {
  readonly overrides: Readonly<Record<string, Toml>>;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

export type Toml = string | boolean | readonly Toml[] | { readonly [key: string]: Toml };

/** Longer instructions are passed as a file, which Codex accepts only in place of its own instructions. */
const MAX_ARGUMENT = 32 * 1024;
const TOKEN_VARIABLE = "AGENT_WORKER_TOKEN";
const MODEL_KEY_VARIABLE = "AGENT_WORKER_MODEL_KEY";
const PROVIDER = "agent-worker";

export function codexConfig({ agent, system, endpoint, mcpServers, provider, folder, cwd }: CliTurn): CodexConfig {
  const env: Record<string, string> = {};
  const files: Record<string, string> = {};
  const overrides: Record<string, Toml> = {
    approval_policy: "never",
    sandbox_mode: sandboxOf(agent.name, agent.permissions),
    "shell_environment_policy.ignore_default_excludes": false,
    "analytics.enabled": false,
    check_for_update_on_startup: false,
  };
  if (tomlOf(system).length <= MAX_ARGUMENT) overrides["developer_instructions"] = system;
  else {
    files["system.md"] = system;
    overrides["model_instructions_file"] = join(folder, "system.md");
  }
  if (endpoint !== null) {
    overrides[`mcp_servers.${TEAM_SERVER}`] = {
      url: endpoint.url,
      bearer_token_env_var: TOKEN_VARIABLE,
      default_tools_approval_mode: "approve",
    };
  }
  for (const [index, [name, server]] of Object.entries(mcpServers).entries()) {
    if (!/^[\w-]+$/.test(name)) {
      throw new EngineFailure(
        "permanent",
        `Codex takes letters, digits, - and _ in the name of an MCP server: "${name}".`,
      );
    }
    const added = "url" in server ? remoteServer(server, index) : localServer(server, index, folder, cwd);
    overrides[`mcp_servers.${name}`] = { ...added.server, default_tools_approval_mode: "approve" };
    Object.assign(env, added.env);
    Object.assign(files, added.files);
  }
  const chosen = providerOf(provider);
  return { overrides: { ...overrides, ...chosen.overrides }, env: { ...env, ...chosen.env }, files };
}

/** Returns the overrides as arguments. */
export function codexArguments({ overrides }: CodexConfig): string[] {
  return Object.entries(overrides).flatMap(([key, value]) => ["-c", `${key}=${tomlOf(value)}`]);
}

/**
 * Codex has three sandboxes and no rules. On the host an agent may write into its folder, without the network. Codex
 * cannot enforce ask and deny rules, so they are refused here instead of being ignored.
 */
function sandboxOf(agent: string, permissions: Permissions | undefined): string {
  const { mode = "virtual", allow = [], ask = [], deny = [] } = permissions ?? {};
  const [rule] = [...deny, ...ask];
  if (rule !== undefined) {
    throw new EngineFailure(
      "permanent",
      `Codex cannot keep to the rule "${rule}" of ${agent}. Remove "ask" and "deny" from its permissions, or use another backend.`,
    );
  }
  if (allowsEverything(permissions)) return "danger-full-access";
  const mayWrite = allow.length === 0 || allow.some((one) => one === "bash" || one === "write_file");
  return mode === "host" && mayWrite ? "workspace-write" : "read-only";
}

function providerOf(provider: CliProvider | null): Pick<CodexConfig, "overrides" | "env"> {
  if (provider === null) return { overrides: {}, env: {} };
  const { name, baseUrl, apiKey } = provider;
  if (baseUrl === null) {
    const overrides: Record<string, Toml> = name === "openai" ? {} : { model_provider: name };
    return { overrides, env: apiKey === null ? {} : { CODEX_API_KEY: apiKey } };
  }
  return {
    overrides: {
      model_provider: PROVIDER,
      [`model_providers.${PROVIDER}`]: { name, base_url: baseUrl, env_key: MODEL_KEY_VARIABLE, wire_api: "responses" },
    },
    env: apiKey === null ? {} : { [MODEL_KEY_VARIABLE]: apiKey },
  };
}

interface AddedServer {
  readonly server: Readonly<Record<string, Toml>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function remoteServer({ url, headers = {} }: Extract<McpServer, { url: string }>, index: number): AddedServer {
  const named = Object.entries(headers).map(
    ([header, value], at) => [header, `AGENT_WORKER_HEADER_${index}_${at}`, value] as const,
  );
  return {
    server: { url, env_http_headers: Object.fromEntries(named.map(([header, variable]) => [header, variable])) },
    env: Object.fromEntries(named.map(([, variable, value]) => [variable, value])),
  };
}

/** Starts it through a script, because its variables may be secrets. */
function localServer(
  { command, args = [], env = {}, cwd: serverFolder = "." }: Extract<McpServer, { command: string }>,
  index: number,
  folder: string,
  cwd: string,
): AddedServer {
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const script = `cd -- ${quoted(resolve(cwd, serverFolder))} || exit\n${variables.join("")}exec ${[command, ...args].map(quoted).join(" ")}\n`;
  const file = `server-${index}.sh`;
  return { server: { command: "sh", args: [join(folder, file)] }, files: { [file]: script } };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function tomlOf(value: Toml): string {
  if (typeof value === "boolean") return String(value);
  // TOML has the escapes of JSON, and one more.
  if (typeof value === "string") return JSON.stringify(value.toWellFormed()).replaceAll("\x7f", String.raw`\u007f`);
  if (isList(value)) return `[${value.map(tomlOf).join(",")}]`;
  const pairs = Object.entries(value).map(([key, inner]) => `${tomlOf(key)}=${tomlOf(inner)}`);
  return `{${pairs.join(",")}}`;
}

function isList(value: Toml): value is readonly Toml[] {
  return Array.isArray(value);
}
