import type { Exchange } from "./route-handler.ts";

/**
 * What answers at `/mcp`, whatever the method. The request came through the same checks as every other one, and its
 * body is read within the limit but not parsed: JSON-RPC has its own way to say that a body is no JSON. A run's token
 * gives the credential's project; a person's token the one of the project header. The face always answers by itself.
 */
export type McpFace = (exchange: McpExchange) => Promise<void>;

export interface McpExchange extends Exchange {
  /** Empty when there was none. */
  readonly body: Buffer;
}
