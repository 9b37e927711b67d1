import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { ToolEndpoint, ToolHost } from "../../../src/ports/tools.ts";

/** The tools of a run as command lines reach them: MCP over HTTP on loopback, behind a bearer token. */
export interface ToolServer extends ToolEndpoint, AsyncDisposable {
  /** Requests that came without the token, or with another one. */
  readonly refused: () => number;
}

const TOKEN = "run-token-0123456789";

export async function startToolServer(tools: ToolHost): Promise<ToolServer> {
  let refused = 0;
  let calls = 0;
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "agent-worker", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({
      tools: tools.list().map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: { ...inputSchema, type: "object" as const },
      })),
    }));
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      calls += 1;
      const call = { id: `call_${calls}`, tool: params.name, args: params.arguments ?? {} };
      const outcome = await tools.call(call, context.mcpReq.signal);
      if (outcome.kind !== "result") throw new Error("approvals are not served here");
      return { content: [{ type: "text" as const, text: outcome.content }], isError: outcome.isError };
    });
    return server;
  });

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.headers.authorization !== `Bearer ${TOKEN}`) {
      refused += 1;
      response.writeHead(401).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const request = new Request(`http://127.0.0.1${incoming.url ?? "/"}`, {
      method: incoming.method ?? "GET",
      headers,
      ...body,
    });
    const answer = await handler.fetch(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  };

  const http = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    token: TOKEN,
    refused: () => refused,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
