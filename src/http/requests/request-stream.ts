import type { RunEvent } from "../../contract/service/work-request.ts";
import type { HttpRequestContext } from "../request-context.ts";
import { HEARTBEAT, HEARTBEAT_MS, LARGE_EVENT_BYTES, openSseStream, serverSentEvent } from "../streams/sse-stream.ts";

/** Streams the events of one work request to the client. The events of one turn of the event loop are one write. */
export interface RequestStream {
  send(event: RunEvent): void;
  end(): void;
}

export function openRequestStream(context: HttpRequestContext, onEnd: () => void): RequestStream {
  const ended = new AbortController();
  const stream = openSseStream(context, () => {
    ended.abort();
    onEnd();
  });
  let buffered = "";
  let large = 0;
  const flush = (): void => {
    if (buffered !== "") stream.write(buffered, large);
    buffered = "";
    large = 0;
  };
  const sendHeartbeats = async (): Promise<void> => {
    while (stream.open) {
      await context.clock.sleep(HEARTBEAT_MS, ended.signal).catch(() => {});
      stream.write(HEARTBEAT);
    }
  };
  void sendHeartbeats();
  return {
    send(event) {
      if (buffered === "") setImmediate(flush);
      const frame = serverSentEvent(event.type, event);
      if (frame.length >= LARGE_EVENT_BYTES) large += Buffer.byteLength(frame);
      buffered += frame;
    },
    end() {
      flush();
      stream.end();
    },
  };
}
