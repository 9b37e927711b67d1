import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import type { Refusal } from "../kernel/refusal.ts";
import type { McpRequest } from "./mcp-request.ts";
import { parseAddress, watchedBy } from "./resource-address.ts";
import { listResources, readResource, resourceTemplates } from "./served-resources.ts";
import { servedTools } from "./served-tools.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Returns a server of the official library for one request. It shares nothing with other requests. */
export function protocolServer(context: McpRequest, subscriptions: Subscriptions): Server {
  const { identity, caller, daemon } = context;
  const tools = servedTools(context);
  const server = new Server(serverInfo(daemon.version), {
    capabilities: { tools: identity.kind === "run" ? { listChanged: true } : {}, resources: { subscribe: true } },
    instructions: INSTRUCTIONS[identity.kind],
  });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools.list()] }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) =>
    tools.call(params.name, params.arguments ?? {}, mcpReq.signal),
  );
  server.setRequestHandler("resources/list", async () => ({ resources: await listResources(context) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: resourceTemplates(context) }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const address = parseAddress(uri);
    if (address === undefined) throw new ResourceNotFoundError(uri);
    const read = await readResource(context, address);
    if (!read.ok) throw notReadable(uri, read.error);
    return { contents: [{ uri, ...read.value }] };
  });
  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    const watched = watchedBy(caller, uri);
    if (!watched.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(watched.error));
    subscriptions.add(context, watched.value);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    subscriptions.remove(context, uri);
    return {};
  });
  return server;
}

export function serverInfo(version: string): {
  readonly name: string;
  readonly title: string;
  readonly version: string;
} {
  return { name: "agent-worker", title: "agent-worker", version };
}

const INSTRUCTIONS = {
  run:
    "You are an agent of a team. my_inbox shows what waits for you, channel_send says something, " +
    "and no_action ends a turn in silence.",
  person:
    "A team of AI agents on this machine. send writes to an agent (alice) or a workspace (@review), " +
    "channel_read shows what was said, workflow_start sets a team to work.",
} as const;

function notReadable(uri: string, error: Refusal): ProtocolError {
  if (error.code === "not_found") return new ResourceNotFoundError(uri, errorText(error));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, errorText(error));
}

function errorText({ message, hint }: Refusal): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
