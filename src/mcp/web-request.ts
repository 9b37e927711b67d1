import { promises as streams } from "node:stream";
import type { McpRequest } from "./mcp-request.ts";

/** Translates between Node and the web's `Request` and `Response`, which the protocol library uses. */
export function webRequest({ request, body, signal }: McpRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // The library does not need the token, and cannot leak what it does not have.
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

export async function sendWebResponse({ response, headers }: McpRequest, web: Response): Promise<void> {
  const webHeaders = [...web.headers].filter(([name]) => !HOP_BY_HOP.has(name));
  response.writeHead(web.status, { ...Object.fromEntries(webHeaders), ...headers });
  if (web.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  try {
    await streams.pipeline(web.body, response);
  } catch (error) {
    // The client has disconnected; its signal stops the work.
    if (!response.destroyed) throw error;
  }
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);
