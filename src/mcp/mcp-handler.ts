import type { Clock } from "../kernel/clock.ts";
import { loadOnce } from "../kernel/load-once.ts";
import type { McpHandler } from "./mcp-request.ts";

/**
 * Handles every request at `/mcp`. The adapter is loaded with the first request: the protocol library takes longer to
 * load than the rest of the daemon.
 */
export function createMcpHandler(clock: Clock): McpHandler {
  const handler = loadOnce(async () => (await import("./handle-mcp-request.ts")).createMcpRequestHandler(), { clock });
  return async (context) => (await handler.get())(context);
}
