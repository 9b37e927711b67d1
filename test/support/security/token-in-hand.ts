import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startCommandedDaemon, type CommandedDaemon } from "../daemon/commanded-daemon.ts";
import type { Answer } from "../daemon/installed-command.ts";
import { installProgram } from "../engine/plain-cli.ts";
import { value } from "../result.ts";
import { eventually } from "../team/running-project.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const PROGRAM = join(import.meta.dirname, "claude-in-hand-process.ts");

/** A real daemon whose agents run on a program that hands the token of its run to an attacker. */
export interface HostileTeam extends AsyncDisposable {
  readonly daemon: CommandedDaemon;
  /** Wakes the agent and returns once its program has its token. Addresses are as in `send`: alice, alice@pair. */
  wake(agent: string, to?: string): Promise<TokenInHand>;
}

/** What an attacker does with the token of a run. */
export interface TokenInHand {
  readonly token: string;
  http(method: string, path: string, body?: unknown): Promise<HttpAnswer>;
  tools(): Promise<readonly string[]>;
  call(tool: string, args?: Record<string, unknown>): Promise<{ readonly isError: boolean; readonly text: string }>;
  /** Text of a resource, or what refused it. */
  resource(uri: string): Promise<string>;
  resources(): Promise<readonly string[]>;
  /** The installed command, with the token in its environment as the program has it. */
  run(args: readonly string[]): Promise<Answer>;
  /** The program ends its turn. */
  end(): void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: string | undefined;
  readonly text: string;
}

/** `agents` are the lines that each definition has besides the usual ones. */
export async function startHostileTeam(
  agents: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<HostileTeam> {
  const folder = temporaryFolder();
  const definitions = Object.entries(agents).map(([name, more]) => {
    const env = `env: { HAND: ${folder.in(name)} }`;
    return [`.agents/${name}.yaml`, `name: ${name}\nbackend: claude\nprompt: { system: Work. }\n${env}\n${more}\n`];
  });
  const PATH = installProgram(folder.path, "claude", `exec "${process.execPath}" "${PROGRAM}" "$@"`);
  const daemon = await startCommandedDaemon({
    files: { ...(Object.fromEntries(definitions) as Record<string, string>), ...files },
    env: { PATH },
  });
  return {
    daemon,
    async wake(agent, to = agent) {
      value(await daemon.client.call("send-message", { to, message: "Please work." }));
      const hand = folder.in(agent);
      await eventually(`${agent} is at work`, () => existsSync(hand));
      const { token } = JSON.parse(readFileSync(hand, "utf8")) as { readonly token: string };
      return tokenInHand(daemon, token, () => writeFileSync(`${hand}.end`, ""));
    },
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

function tokenInHand(daemon: CommandedDaemon, token: string, end: () => void): TokenInHand {
  const authorization = `Bearer ${token}`;
  const connected = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ name: "attacker", version: "1" });
    const requestInit = { headers: { authorization } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }));
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  };
  return {
    token,
    end,
    async http(method, path, body) {
      const response = await fetch(`${daemon.url}${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const code = /"error":\{"code":"(\w+)"/.exec(text)?.[1];
      return { status: response.status, headers: response.headers, code, text };
    },
    tools: () => connected(async (client) => (await client.listTools()).tools.map(({ name }) => name)),
    call: (tool, args = {}) =>
      connected(async (client) => {
        const { isError, content } = await client.callTool({ name: tool, arguments: args });
        return { isError: isError === true, text: JSON.stringify(content) };
      }),
    resource: (uri) =>
      connected(async (client) => {
        try {
          return JSON.stringify(await client.readResource({ uri }));
        } catch (error) {
          return String(error);
        }
      }),
    resources: () => connected(async (client) => (await client.listResources()).resources.map(({ uri }) => uri)),
    run: (args) => daemon.run(args, { env: { AGENT_WORKER_URL: daemon.url, AGENT_WORKER_TOKEN: token } }),
  };
}
