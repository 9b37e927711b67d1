import { createMcpHandler, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import { callerOf, type McpExchange } from "./mcp-request.ts";
import { protocolServer } from "./protocol-server.ts";
import { watchedBy, type Watched } from "./resource-address.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { watchMail } from "./watch-mail.ts";
import { sendWebResponse, webRequest } from "./web-request.ts";

/** Where a mention is found in the notification that an inbox has changed, for clients of the 2026 protocol. */
const MENTION_META_KEY = "agent-worker/mention";

/**
 * Lets the official library answer, with a handler made for this one request. A stream of changes that the client opened
 * lasts until it leaves, its run ends or the daemon closes.
 */
export async function answerByLibrary(
  exchange: McpExchange,
  subscriptions: Subscriptions,
  options: { readonly mayListen: boolean; readonly takesLong: boolean },
): Promise<void> {
  const handler = createMcpHandler(() => protocolServer(exchange, subscriptions), {
    bus: mailBus(exchange, () => void handler.close()),
    maxSubscriptions: options.mayListen ? 1 : 0,
    // A stream shows from time to time that somebody is there, and nobody gives up waiting.
    responseMode: options.takesLong ? "sse" : "auto",
    maxRequestBodySize: Math.max(1, exchange.body.length),
    onerror: (error) => exchange.log.debug("an MCP request went wrong", { error }),
  });
  const close = (): void => void handler.close();
  exchange.closing.addEventListener("abort", close, { once: true });
  try {
    await sendWebResponse(exchange, await handler.fetch(webRequest(exchange)));
  } finally {
    exchange.closing.removeEventListener("abort", close);
  }
}

/** A source of changes that exists once a client listens to it. */
function mailBus(exchange: McpExchange, close: () => void): ServerEventBus {
  return {
    publish: () => {},
    subscribe(listener: (event: ServerEvent) => void) {
      const watched = wantedBy(exchange);
      const watching = watchMail(exchange, () => watched, {
        updated: (uri, mention) =>
          listener({
            kind: "resource_updated",
            uri,
            ...(mention === undefined ? {} : { params: { _meta: { [MENTION_META_KEY]: mention } } }),
          }),
        mentioned: () => {},
        ended: close,
      });
      return () => watching[Symbol.dispose]();
    },
  };
}

/** What the request asks to be told of. What the caller may not watch is left out: it stays silent. */
function wantedBy({ body, identity }: McpExchange): readonly Watched[] {
  const { params } = JSON.parse(body.toString("utf8")) as ListenRequest;
  const caller = callerOf(identity);
  return (params?.notifications?.resourceSubscriptions ?? []).flatMap((uri) => {
    const watched = watchedBy(caller, uri);
    return watched.ok ? [watched.value] : [];
  });
}

/** Checked by the library before anything is subscribed. */
interface ListenRequest {
  readonly params?: { readonly notifications?: { readonly resourceSubscriptions?: readonly string[] } };
}
