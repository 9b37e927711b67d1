import { ProtocolError, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { McpRequest } from "../mcp-request.ts";
import { serverInfo } from "../protocol-server.ts";
import type { ToolSet } from "../tool-set.ts";
import type { FastPathRequest } from "./fast-path-request.ts";

/** Responds with the JSON that the library would send, without a server object, a transport or a stream. */
export async function respondOnFastPath(context: McpRequest, tools: ToolSet, request: FastPathRequest): Promise<void> {
  const text = JSON.stringify({ jsonrpc: "2.0", id: request.id, ...(await outcomeOf(context, tools, request)) });
  context.response
    .writeHead(200, {
      ...context.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    })
    .end(text);
}

async function outcomeOf({ daemon, signal }: McpRequest, tools: ToolSet, { call, era }: FastPathRequest) {
  const modern =
    era === "2025" ? {} : { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo(daemon.version) } };
  if (call.method === "tools/list") {
    // The next daemon may offer other tools: clients must not cache the list.
    const uncached = era === "2025" ? {} : { ttlMs: 0, cacheScope: "private" };
    return { result: { tools: tools.list(), ...uncached, ...modern } };
  }
  try {
    return { result: { ...(await tools.call(call.name, call.args, signal)), ...modern } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
