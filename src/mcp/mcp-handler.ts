import type { McpHandler } from "./mcp-request.ts";

/**
 * Handles every request at `/mcp`. The adapter is loaded with the first request: the protocol library takes longer to
 * load than the rest of the daemon.
 */
export function createMcpHandler(): McpHandler {
  let loaded: Promise<McpHandler> | undefined;
  return async (context) => {
    loaded ??= import("./handle-mcp-request.ts").then(({ createMcpRequestHandler }) => createMcpRequestHandler());
    return (await loaded)(context);
  };
}
