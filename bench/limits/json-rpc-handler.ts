import { createServer } from "node:http";

/** The least that answers an MCP client of the 2025 protocol: JSON in, one function called, JSON out. No checks. */
export async function startJsonRpcHandler(
  call: (name: string, args: unknown) => Promise<{ readonly text: string; readonly data: unknown }>,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as Request;
      const answer = (result: unknown): void => {
        const text = JSON.stringify({ jsonrpc: "2.0", id, result });
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
        response.end(text);
      };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === "initialize") {
        const { protocolVersion } = params;
        const serverInfo = { name: "limit", version: "1" };
        return answer({ protocolVersion, capabilities: { tools: {} }, serverInfo });
      }
      void call(params.name, params.arguments).then(({ text, data }) =>
        answer({ content: [{ type: "text", text }], structuredContent: data }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly name: string; readonly arguments: unknown; readonly protocolVersion?: string };
}
