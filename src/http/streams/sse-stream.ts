import type { HttpRequestContext } from "../request-context.ts";

/**
 * A stream of events to one client. What the client does not read is buffered up to a limit; then the client gets the
 * event `dropped`, and the stream ends: the client can reconnect for the rest. Large events count against a higher limit,
 * because even a client that reads at once needs a moment for them. The body ends with the connection and is not chunked,
 * so that many clients can be sent the same buffer.
 */
export interface SseStream {
  /** False when the client has disconnected or was dropped. */
  readonly open: boolean;
  /** `large` of its bytes are events that are large by themselves: a client is not slow because of them. */
  write(frames: Buffer | string, large?: number): void;
  /** Resolves when the client has read what was written; false when it did not in time, or disconnected. */
  drained(timeoutMs: number): Promise<boolean>;
  /** Sends a last event and ends. */
  end(last?: string): void;
  /** Ends the stream of a client that does not read. */
  drop(): void;
}

/** One event of a `text/event-stream`. Its data is JSON, which contains no line end: one line is enough. */
export function serverSentEvent(name: string, data: unknown, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** A comment, not an event: it shows that the connection works. */
export const HEARTBEAT = Buffer.from(":\n\n");
export const HEARTBEAT_MS = 15_000;

const MAX_UNREAD_BYTES = 1024 * 1024;
const MAX_UNREAD_LARGE_BYTES = 64 * 1024 * 1024;
/** An event of this size is large. */
export const LARGE_EVENT_BYTES = 128 * 1024;
const END_TIMEOUT_MS = 5_000;

export function openSseStream(
  { response, headers, clock }: Pick<HttpRequestContext, "response" | "headers" | "clock">,
  onEnd: () => void,
): SseStream {
  let open = !response.destroyed;
  /** Of large events since the client had last read everything. */
  let unreadLarge = 0;
  const closed = new AbortController();
  const close = (): void => {
    if (!open) return;
    open = false;
    onEnd();
  };
  response.once("close", () => {
    closed.abort();
    close();
  });
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8", connection: "close" });
  response.flushHeaders();

  const end = (last = ""): void => {
    if (!open) return;
    close();
    response.end(last);
    // With a client that does not read, the response would never end.
    clock.sleep(END_TIMEOUT_MS, closed.signal).then(
      () => response.destroy(),
      () => {},
    );
  };
  const drop = (): void =>
    end(
      serverSentEvent("dropped", {
        code: "too_slow",
        message: "This client did not read what was sent to it. Come back with the id of the last event it has read.",
      }),
    );

  return {
    get open() {
      return open;
    },
    write(frames, large = 0) {
      if (!open) return;
      const unread = response.writableLength;
      if (unread === 0) unreadLarge = 0;
      unreadLarge += large;
      response.write(frames);
      const limit = MAX_UNREAD_BYTES + Math.min(unreadLarge, MAX_UNREAD_LARGE_BYTES);
      if (response.writableLength > limit) drop();
    },
    async drained(timeoutMs) {
      if (!open || !response.writableNeedDrain) return open;
      const read = Promise.withResolvers<void>();
      const waiting = new AbortController();
      response.once("drain", read.resolve).once("close", read.resolve);
      const timeout = clock.sleep(timeoutMs, waiting.signal).catch(() => {});
      await Promise.race([read.promise, timeout]);
      waiting.abort();
      response.off("drain", read.resolve).off("close", read.resolve);
      return open && !response.writableNeedDrain;
    },
    end,
    drop,
  };
}
