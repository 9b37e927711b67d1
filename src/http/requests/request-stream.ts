import type { RunEvent } from "../../contract/service/work-request.ts";
import { HEARTBEAT, HEARTBEAT_MS, serverSentEvent } from "../streams/server-sent-event.ts";
import { openSseStream } from "../streams/sse-stream.ts";
import type { Exchange } from "../route-handler.ts";

/** The events of one workRequest to the client that watches it. What one turn of the event loop brings is one write. */
export interface RequestStream {
  tell(event: RunEvent): void;
  end(): void;
}

export function openRequestStream(exchange: Exchange, onEnd: () => void): RequestStream {
  const { clock } = exchange;
  const over = new AbortController();
  const stream = openSseStream(exchange, () => {
    over.abort();
    onEnd();
  });
  let waiting = "";
  const flush = (): void => {
    if (waiting !== "") stream.write(waiting);
    waiting = "";
  };
  const beat = async (): Promise<void> => {
    while (stream.open) {
      await clock.sleep(HEARTBEAT_MS, over.signal).catch(() => {});
      stream.write(HEARTBEAT);
    }
  };
  void beat();
  return {
    tell(event) {
      if (waiting === "") setImmediate(flush);
      waiting += serverSentEvent(event.type, event);
    },
    end() {
      flush();
      stream.end();
    },
  };
}
