import { createMcpHandler, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import type { McpRequest } from "./mcp-request.ts";
import { protocolServer } from "./protocol-server.ts";
import { watchedBy, type Watched } from "./resource-address.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { watchResources } from "./watch-resources.ts";
import { sendWebResponse, webRequest } from "./web-request.ts";

/** Key of a mention in the notification that an inbox has changed, for clients of the 2026 protocol. */
const MENTION_META_KEY = "agent-worker/mention";

/**
 * Responds with the official library, by a handler made for this one request. A stream of changes lasts until the
 * client disconnects, its run ends or the daemon closes.
 */
export async function respondWithLibrary(
  context: McpRequest,
  subscriptions: Subscriptions,
  options: { readonly mayListen: boolean; readonly takesLong: boolean },
): Promise<void> {
  const handler = createMcpHandler(() => protocolServer(context, subscriptions), {
    bus: resourceBus(context, () => void handler.close()),
    maxSubscriptions: options.mayListen ? 1 : 0,
    // A stream has heartbeats, so the client does not time out.
    responseMode: options.takesLong ? "sse" : "auto",
    maxRequestBodySize: Math.max(1, context.body.length),
    onerror: (error) => context.log.debug("an MCP request went wrong", { error }),
  });
  const close = (): void => void handler.close();
  context.closing.addEventListener("abort", close, { once: true });
  try {
    await sendWebResponse(context, await handler.fetch(webRequest(context)));
  } finally {
    context.closing.removeEventListener("abort", close);
  }
}

/** A source of changes that starts when a client subscribes to it. */
function resourceBus(context: McpRequest, close: () => void): ServerEventBus {
  return {
    publish: () => {},
    subscribe(listener: (event: ServerEvent) => void) {
      const watched = subscribedBy(context);
      const watching = watchResources(context, () => watched, {
        updated: (uri, mention) =>
          listener({
            kind: "resource_updated",
            uri,
            ...(mention === undefined ? {} : { params: { _meta: { [MENTION_META_KEY]: mention } } }),
          }),
        mentioned: () => {},
        toolsChanged: () => listener({ kind: "tools_list_changed" }),
        ended: close,
      });
      return () => watching[Symbol.dispose]();
    },
  };
}

/** The resources that the request subscribes to, without those the caller may not watch. */
function subscribedBy({ body, caller }: McpRequest): readonly Watched[] {
  const { params } = JSON.parse(body.toString("utf8")) as ListenRequest;
  return (params?.notifications?.resourceSubscriptions ?? []).flatMap((uri) => {
    const watched = watchedBy(caller, uri);
    return watched.ok ? [watched.value] : [];
  });
}

/** Checked by the library before anything is subscribed. */
interface ListenRequest {
  readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: readonly string[] } };
}
