import { resolve } from "node:path";
import { createMCPClient, type CallToolResult, type MCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { McpServer } from "../../../domain/agent/definition.ts";
import { decidePermission } from "../../../domain/agent/permission.ts";
import { choosableTools } from "../../../domain/agent/tool-choice.ts";
import { toolNameSkeleton } from "../../../domain/agent/tool-name-skeleton.ts";
import type { ToolCall, ToolOutcome, ToolSpec } from "../../../ports/tools.ts";
import type { SessionSetup } from "../protocol.ts";
import { reportOf, WorkerFailure } from "./failure-report.ts";

/**
 * The tools of the agent's own MCP servers, listed after the daemon's. A tool whose name equals or resembles one of the
 * daemon is left out, with a warning in the log, also when the agent does not have the daemon's tool. So is a tool that
 * the agent's permissions deny, or that a person would have to approve: these calls cannot wait for a person. So is every
 * tool after the first 200 of a server. Between servers the first one wins. Tools are listed once: later changes of a
 * server are ignored.
 */
export interface McpTools extends AsyncDisposable {
  readonly specs: readonly ToolSpec[];
  has(tool: string): boolean;
  call(call: ToolCall): Promise<ToolOutcome>;
}

const MAX_RESULT = 400_000;
const MAX_TOOLS = 200;
/** No provider accepts other characters. */
const TOOL_NAME = /^[\w.-]{1,128}$/;

export async function openMcpTools(setup: SessionSetup, warn: (message: string) => void): Promise<McpTools> {
  const owners = new Map<string, string>(
    [...setup.tools.map(({ name }) => name), ...choosableTools({})].map((name) => [
      toolNameSkeleton(name),
      "agent-worker itself",
    ]),
  );
  const clients: MCPClient[] = [];
  const tools = new Map<string, MCPClient>();
  const specs: ToolSpec[] = [];
  for (const [server, settings] of Object.entries(setup.mcpServers)) {
    const { client, offered } = await connect(server, settings, setup);
    clients.push(client);
    if (offered.length > MAX_TOOLS) {
      warn(`The MCP server ${server} offers ${offered.length} tools: those after the first ${MAX_TOOLS} are left out.`);
    }
    for (const { name, description = "", inputSchema } of offered.slice(0, MAX_TOOLS)) {
      const owner = owners.get(toolNameSkeleton(name));
      if (owner !== undefined) {
        warn(
          `The MCP server ${server} offers a tool "${name}", which is too much like the name of one of ${owner}: left out.`,
        );
        continue;
      }
      if (!TOOL_NAME.test(name)) {
        warn(`The MCP server ${server} offers a tool "${name.slice(0, 128)}", which is no name for a tool: left out.`);
        continue;
      }
      if (decidePermission({ ...setup.permissions, mode: "virtual" }, { tool: name }).decision !== "allow") {
        warn(`The tool "${name}" of the MCP server ${server} is left out: the agent's permissions deny it or ask.`);
        continue;
      }
      owners.set(toolNameSkeleton(name), `the MCP server ${server}`);
      tools.set(name, client);
      specs.push({ name, description, inputSchema: { ...inputSchema } });
    }
  }
  return {
    specs,
    has: (tool) => tools.has(tool),
    call: async ({ tool, args }) => {
      try {
        const client = tools.get(tool);
        if (client === undefined) throw new Error(`There is no tool "${tool}".`);
        return outcomeOf(await client.callTool({ name: tool, arguments: isRecord(args) ? args : {} }));
      } catch (error) {
        return { kind: "result", content: reportOf(error).message, isError: true };
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(clients.map((client) => client.close()));
    },
  };
}

async function connect(server: string, settings: McpServer, setup: SessionSetup) {
  try {
    const client = await createMCPClient({ clientName: "agent-worker", transport: transportTo(settings, setup) });
    return { client, offered: (await client.listTools()).tools };
  } catch (error) {
    const { message, code, status } = reportOf(error);
    throw new WorkerFailure({
      message: `The MCP server ${server} could not be started: ${message}`,
      permanent: code === "ENOENT" || code === "EACCES",
      ...(status === undefined ? {} : { status }),
    });
  }
}

function transportTo(settings: McpServer, { cwd, mcpEnvironment }: SessionSetup) {
  if ("url" in settings) return { type: "http", url: settings.url, headers: { ...settings.headers } } as const;
  return new StdioMCPTransport({
    command: settings.command,
    args: [...(settings.args ?? [])],
    env: { ...mcpEnvironment, ...settings.env },
    cwd: resolve(cwd, settings.cwd ?? "."),
    stderr: "ignore",
  });
}

function outcomeOf(result: CallToolResult): ToolOutcome {
  const content = textOf(result);
  const cut = content.length > MAX_RESULT ? `${content.slice(0, MAX_RESULT)}\n[cut]` : content;
  return { kind: "result", content: cut, isError: result.isError === true };
}

function textOf(result: CallToolResult): string {
  if (!("content" in result) || !Array.isArray(result.content)) return JSON.stringify(result);
  const parts: readonly unknown[] = result.content;
  return parts
    .map((part) => {
      if (!isRecord(part)) return "";
      return typeof part.text === "string" ? part.text : `[${String(part.type)}]`;
    })
    .join("\n");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
