import { readFastPathRequest } from "./fast-path/fast-path-request.ts";
import { respondOnFastPath } from "./fast-path/fast-path-response.ts";
import { respondWithLibrary } from "./library-response.ts";
import type { McpHandler, McpRequest } from "./mcp-request.ts";
import { streamNotifications } from "./notification-stream.ts";
import { servedTools } from "./served-tools.ts";
import { createSubscriptions } from "./subscriptions.ts";

/** While more requests than this are open, no further stream of notifications is opened. */
const MAX_OPEN = 1000;

/**
 * Serves clients of both eras of the protocol. There are no sessions and no state that two clients share: a response
 * depends only on the token, and every request gets its own server object. Plain tool calls, nearly all requests, take
 * the fast path; the official library handles the rest.
 */
export function createMcpRequestHandler(): McpHandler {
  const subscriptions = createSubscriptions();
  let open = 0;
  return async (context) => {
    const { request, body, identity, project } = context;
    if (identity.kind === "person" && request.method === "POST") await project.services.ownProposals.refresh();
    const tools = servedTools(context);
    const plain = request.method === "POST" ? readFastPathRequest(request.headers, body) : undefined;
    const takesLong = plain?.call.method === "tools/call" && tools.takesLong(plain.call.name);
    if (plain !== undefined && !takesLong) return respondOnFastPath(context, tools, plain);
    open += 1;
    try {
      if (wantsNotifications(context) && open <= MAX_OPEN) await streamNotifications(context, subscriptions);
      else await respondWithLibrary(context, subscriptions, { mayListen: open <= MAX_OPEN, takesLong });
    } finally {
      open -= 1;
      // After the server ended a stream, its connection is not used again.
      if (context.closing.aborted) request.socket.end();
    }
  };
}

function wantsNotifications({ request: { method, headers } }: McpRequest): boolean {
  return method === "GET" && headers.accept?.includes("text/event-stream") === true;
}
