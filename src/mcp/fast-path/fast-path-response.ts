import { ProtocolError, SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { McpExchange } from "../mcp-request.ts";
import type { FastPathRequest } from "./fast-path-request.ts";
import { serverInfo } from "../protocol-server.ts";
import { toInternalError } from "../internal-error.ts";
import type { ToolSet } from "../tool-set.ts";

/** Answers without a server object, a transport or a stream in between: what the library would have said, as JSON. */
export async function respondOnFastPath(
  exchange: McpExchange,
  tools: ToolSet,
  request: FastPathRequest,
): Promise<void> {
  const { id, era, ask } = request;
  const text = JSON.stringify({ jsonrpc: "2.0", id, ...(await answer(exchange, tools, ask, era)) });
  exchange.response
    .writeHead(200, {
      ...exchange.headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    })
    .end(text);
}

async function answer(exchange: McpExchange, tools: ToolSet, ask: FastPathRequest["ask"], era: FastPathRequest["era"]) {
  const modern =
    era === "2025"
      ? {}
      : { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo(exchange.hosting.version) } };
  if (ask.method === "tools/list") {
    // What a tool does may change with the next daemon: nobody should remember the list.
    const uncached = era === "2025" ? {} : { ttlMs: 0, cacheScope: "private" };
    return { result: { tools: tools.list(), ...uncached, ...modern } };
  }
  try {
    const result = await toInternalError(exchange, ask.name, () => tools.call(ask.name, ask.args, exchange.signal));
    return { result: { ...result, ...modern } };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}
