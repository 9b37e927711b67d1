import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import {
  agent,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentContext,
  type McpServer,
  type SessionUpdate,
  type StopReason,
  type ToolKind,
} from "@agentclientprotocol/sdk";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { EngineMove } from "../../../src/testing/engine-conformance.ts";

/**
 * An agent that speaks the Agent Client Protocol with a model that follows a script. The script is in the file that
 * STAND_IN names, and what was played is taken out of it, so that the next start goes on where this one stopped. What it
 * was asked is appended to a file beside it.
 */
export interface Traits {
  readonly http?: boolean;
  readonly load?: boolean;
  readonly resume?: boolean;
  readonly models?: readonly string[];
  readonly needsLogin?: boolean;
  readonly version?: number;
}

export type AcpMove =
  | EngineMove
  | { readonly ask: { readonly kind: ToolKind; readonly title: string; readonly input: unknown } }
  | { readonly stop: StopReason }
  | { readonly answerError: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly die: number }
  | { readonly garbage: true };

const file = process.env.STAND_IN ?? "";
const traits = JSON.parse(process.env.STAND_IN_TRAITS ?? "{}") as Traits;
const known = new Set(["session-old"]);
let servers: readonly McpServer[] = [];
let cancelled = Promise.withResolvers<void>();

const record = (method: string, params: unknown): void =>
  appendFileSync(`${file}.log`, `${JSON.stringify({ method, params })}\n`);

function take(): AcpMove | undefined {
  const [move, ...rest] = JSON.parse(readFileSync(file, "utf8")) as AcpMove[];
  writeFileSync(file, JSON.stringify(rest));
  return move;
}

async function connect(): Promise<Client> {
  const server = servers.find(({ name }) => name === "agent-worker");
  if (server === undefined || !("type" in server)) throw new Error("no server of the team");
  const client = new Client({ name: "stand-in", version: "1" });
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  return client;
}

async function play(sessionId: string, client: AgentContext): Promise<StopReason> {
  const tell = (update: SessionUpdate): Promise<void> => client.notify("session/update", { sessionId, update });
  const say = (text: string) => tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  let mcp: Client | undefined;
  for (let number = 1; ; number += 1) {
    const move = take();
    const toolCallId = `call-${number}`;
    if (move === undefined) throw new Error("the script is over");
    if ("hang" in move) {
      await cancelled.promise;
      return "cancelled";
    }
    if ("die" in move) process.exit(move.die);
    if ("garbage" in move) process.stdout.write(`${"x".repeat(17 * 1024 * 1024)}\n`);
    if ("stop" in move) return move.stop;
    if ("answerError" in move) {
      const { code, message, data } = move.answerError;
      throw new RequestError(code, message, data);
    }
    if ("fail" in move) {
      await say(move.fail.after);
      throw new RequestError(-32_603, "Internal error: 503 overloaded");
    }
    if ("say" in move) {
      for (const part of move.say.match(/.{1,7}/gs) ?? []) await say(part);
      await tell({ sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.25, currency: "USD" } });
      return "end_turn";
    }
    if ("call" in move) {
      mcp ??= await connect();
      const { tool, args } = move.call;
      const title = `agent-worker_${tool}`;
      await tell({ sessionUpdate: "tool_call", toolCallId, title, status: "pending", rawInput: {} });
      await tell({ sessionUpdate: "tool_call_update", toolCallId, status: "in_progress", rawInput: args });
      const { content, isError } = await mcp.callTool({ name: tool, arguments: { ...args } });
      const [first] = content;
      const text = first?.type === "text" ? first.text : "";
      await tell({
        sessionUpdate: "tool_call_update",
        toolCallId,
        title: "done with it",
        status: isError === true ? "failed" : "completed",
        content: [{ type: "content", content: { type: "text", text } }],
      });
    }
    if ("ask" in move) {
      const { kind, title, input } = move.ask;
      await tell({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "pending", rawInput: input });
      const { outcome } = await client.request("session/request_permission", {
        sessionId,
        toolCall: { toolCallId, title, kind, rawInput: input },
        options: [
          { optionId: "always", name: "Always", kind: "allow_always" },
          { optionId: "yes", name: "Yes", kind: "allow_once" },
          { optionId: "no", name: "No", kind: "reject_once" },
        ],
      });
      record("answered", outcome);
      const isAllowed = outcome.outcome === "selected" && outcome.optionId === "yes";
      await tell({ sessionUpdate: "tool_call_update", toolCallId, status: isAllowed ? "completed" : "failed" });
    }
  }
}

const options = (traits.models ?? []).map((value) => ({ value, name: value }));
const [currentValue = ""] = traits.models ?? [];
const configOptions =
  options.length === 0
    ? {}
    : { configOptions: [{ type: "select" as const, id: "m", name: "M", category: "model", currentValue, options }] };

const app = agent({ name: "stand-in" })
  .onRequest("initialize", () => ({
    protocolVersion: traits.version ?? PROTOCOL_VERSION,
    agentInfo: { name: "stand-in", title: "Stand-in", version: "1" },
    agentCapabilities: {
      loadSession: traits.load === true,
      mcpCapabilities: { http: traits.http !== false },
      sessionCapabilities: traits.resume === true ? { resume: {} } : {},
    },
    authMethods: [{ id: "login", name: "Login", description: "Run `stand-in login`" }],
  }))
  .onRequest("session/new", ({ params }) => {
    record("session/new", params);
    if (traits.needsLogin === true) throw RequestError.authRequired();
    servers = params.mcpServers;
    return { sessionId: "session-new", ...configOptions };
  })
  .onRequest("session/load", async ({ params, client }) => {
    record("session/load", params);
    if (!known.has(params.sessionId)) throw RequestError.resourceNotFound(params.sessionId);
    servers = params.mcpServers;
    const content = { type: "text" as const, text: "This was said long ago." };
    await client.notify("session/update", {
      sessionId: params.sessionId,
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return { ...configOptions };
  })
  .onRequest("session/resume", ({ params }) => {
    record("session/resume", params);
    if (!known.has(params.sessionId)) throw RequestError.resourceNotFound(params.sessionId);
    servers = params.mcpServers ?? [];
    return { ...configOptions };
  })
  .onRequest("session/set_config_option", ({ params }) => {
    record("session/set_config_option", params);
    return { configOptions: [] };
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    record("session/prompt", params);
    cancelled = Promise.withResolvers<void>();
    return { stopReason: await play(params.sessionId, client) };
  })
  .onNotification("session/cancel", ({ params }) => {
    record("session/cancel", params);
    cancelled.resolve();
  });

if (process.env.STAND_IN_CHATTER !== undefined) process.stdout.write("Welcome to the stand-in!\n");
app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
