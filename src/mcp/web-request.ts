import { promises as streams } from "node:stream";
import type { McpExchange } from "./mcp-request.ts";

/** The protocol library speaks in the `Request` and `Response` of the web; these two translate. */
export function webRequest({ request, body, signal }: McpExchange): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The library has no use for the token, and what it does not have it cannot tell.
    if (value === undefined || name === "authorization") continue;
    headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const method = request.method ?? "GET";
  return new Request("http://localhost/mcp", {
    method,
    headers,
    signal,
    ...(body.length === 0 || method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(body) }),
  });
}

export async function sendWebResponse({ response, headers }: McpExchange, answer: Response): Promise<void> {
  const own = [...answer.headers].filter(([name]) => !HOP_BY_HOP.has(name));
  response.writeHead(answer.status, { ...Object.fromEntries(own), ...headers });
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  try {
    await streams.pipeline(answer.body, response);
  } catch (error) {
    // The client went away: what it left behind has been told to stop.
    if (!response.destroyed) throw error;
  }
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);
