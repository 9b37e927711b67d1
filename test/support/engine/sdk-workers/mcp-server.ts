import { createInterface } from "node:readline";

/** A small MCP server over stdio: says what is in its environment, and offers a tool of the daemon's and its like. */
interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const tool = (name: string) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: "object", properties: {} },
});

function answer({ method, params }: Request): unknown {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "small", version: "1" },
      };
    case "tools/list":
      return { tools: [tool("channel_send"), tool("Channel-Send"), tool("environment"), tool("broken")] };
    case "tools/call":
      return params?.name === "broken"
        ? { content: [{ type: "text", text: "it broke" }], isError: true }
        : { content: [{ type: "text", text: JSON.stringify({ env: process.env, cwd: process.cwd() }) }] };
    default:
      return undefined;
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) return;
  const result = answer(request);
  const error = { code: -32_601, message: "Method not found" };
  const body = result === undefined ? { error } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...body })}\n`);
});
