import { isStillKnown, type McpExchange } from "./mcp-request.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { watchMail } from "./watch-mail.ts";

const HEARTBEAT_MS = 15_000;
/** A client that reads nothing is cut off; it can come back and read its inbox. */
const MOST_UNREAD_BYTES = 1024 * 1024;

/**
 * The stream a client of the 2025 protocol opens with GET to be told things: that its inbox or a channel it subscribed
 * to has changed, and that it was mentioned. It carries notifications only, never the answer to a request.
 */
export async function listen(exchange: McpExchange, subscriptions: Subscriptions): Promise<void> {
  const { response, headers, signal, closing, clock } = exchange;
  const over = new AbortController();
  const end = (): void => over.abort();
  const stopped = AbortSignal.any([over.signal, closing, signal]);
  response.on("close", end);
  response.writeHead(200, { ...headers, "content-type": "text/event-stream", "x-accel-buffering": "no" });
  response.flushHeaders();

  const write = (text: string): void => {
    if (stopped.aborted) return;
    response.write(text);
    if (response.writableLength > MOST_UNREAD_BYTES) end();
  };
  const notify = (method: string, params: object): void => {
    write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
  };
  using _watching = watchMail(exchange, () => subscriptions.of(exchange), {
    updated: (uri) => notify("notifications/resources/updated", { uri }),
    mentioned: (mention) => notify("notifications/mention", mention),
    ended: end,
  });
  while (!stopped.aborted) {
    await clock.sleep(HEARTBEAT_MS, stopped).catch(() => {});
    if (!isStillKnown(exchange)) end();
    write(": still here\n\n");
  }
  if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  else response.end();
}
