import type { Exchange } from "../route-handler.ts";
import { serverSentEvent } from "./server-sent-event.ts";

/**
 * A stream of events to one client. What the client does not read is kept for it up to a bound; past that it is told so
 * as its last event, and let go: it can come back for the rest, and costs nobody else anything meanwhile. The body ends
 * with the connection and not in chunks: what is written to many is the same buffer for all of them.
 */
export interface SseStream {
  /** False when the client is gone, or was let go. */
  readonly open: boolean;
  write(frames: Buffer | string): void;
  /** Resolves when the client has read what was written; false when it did not in time, or is gone. */
  drained(patienceMs: number): Promise<boolean>;
  /** Says a last word and ends. */
  end(last?: string): void;
  /** Lets go of a client that does not read. */
  drop(): void;
}

const MOST_UNREAD_BYTES = 1024 * 1024;
const GOODBYE_MS = 5_000;

export function openSseStream(
  { response, headers, clock }: Pick<Exchange, "response" | "headers" | "clock">,
  onEnd: () => void,
): SseStream {
  let open = !response.destroyed;
  const over = new AbortController();
  const close = (): void => {
    if (!open) return;
    open = false;
    onEnd();
  };
  response.once("close", () => {
    over.abort();
    close();
  });
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { ...headers, "content-type": "text/event-stream; charset=utf-8", connection: "close" });
  response.flushHeaders();

  const end = (last = ""): void => {
    if (!open) return;
    close();
    response.end(last);
    // A client that does not read would never let it end.
    clock.sleep(GOODBYE_MS, over.signal).then(
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
    write(frames) {
      if (!open) return;
      response.write(frames);
      if (response.writableLength > MOST_UNREAD_BYTES) drop();
    },
    async drained(patienceMs) {
      if (!open || !response.writableNeedDrain) return open;
      const read = Promise.withResolvers<void>();
      const waiting = new AbortController();
      response.once("drain", read.resolve).once("close", read.resolve);
      const late = clock.sleep(patienceMs, waiting.signal).catch(() => {});
      await Promise.race([read.promise, late]);
      waiting.abort();
      response.off("drain", read.resolve).off("close", read.resolve);
      return open && !response.writableNeedDrain;
    },
    end,
    drop,
  };
}
