import { hasExpired, type McpRequest } from "./mcp-request.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { watchResources } from "./watch-resources.ts";

const HEARTBEAT_MS = 15_000;
/** A client that does not read is disconnected; it can reconnect and read its inbox. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * The stream that a client of the 2025 protocol opens with GET. It sends notifications that a subscribed inbox or
 * channel has changed, that the caller was mentioned and that a grant changed its tools, never the response to a request.
 */
export async function streamNotifications(context: McpRequest, subscriptions: Subscriptions): Promise<void> {
  const { response, headers, signal, closing, clock } = context;
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const stopped = AbortSignal.any([ended.signal, closing, signal]);
  response.on("close", end);
  response.writeHead(200, { ...headers, "content-type": "text/event-stream", "x-accel-buffering": "no" });
  response.flushHeaders();

  const write = (text: string): void => {
    if (stopped.aborted) return;
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) end();
  };
  const notify = (method: string, params: object): void => {
    write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
  };
  using _watching = watchResources(context, () => subscriptions.of(context), {
    updated: (uri) => notify("notifications/resources/updated", { uri }),
    toolsChanged: () => notify("notifications/tools/list_changed", {}),
    mentioned: (mention) => notify("notifications/mention", mention),
    ended: end,
  });
  while (!stopped.aborted) {
    await clock.sleep(HEARTBEAT_MS, stopped).catch(() => {});
    if (hasExpired(context)) end();
    write(": still here\n\n");
  }
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  else response.end();
}
