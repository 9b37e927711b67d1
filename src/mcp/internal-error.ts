import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { McpExchange } from "./mcp-request.ts";

/** A bug is the log's to tell in full; a client learns only that there is one. */
export async function toInternalError<T>(exchange: McpExchange, tool: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!exchange.signal.aborted) exchange.log.error("a tool failed", { tool, error });
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${tool} failed inside the daemon; its log says why.`);
  }
}
