import type { Live, Recorded, Snapshot } from "./daemon-event.ts";
import type { Daemon } from "./daemon.ts";
import { retryDelay } from "./retry-delay.ts";
import { eventReader, type ServerSentEvent } from "./server-sent-events.ts";

export interface Listener {
  onState(state: "connecting" | "live" | "lost"): void;
  onSnapshot(snapshot: Snapshot): void;
  onRecorded(event: Recorded): void;
  onLive(event: Live): void;
}

/** The daemon sends a heartbeat every 15 seconds. */
const SILENCE_MS = 40_000;

/**
 * Follows the daemon's events until the returned function is called. A connection that ends, fails or is silent is opened
 * again, from the last event. EventSource is not used because it cannot send a header.
 */
export function followEvents(daemon: Daemon, listener: Listener): () => void {
  const stopped = new AbortController();
  let lastEventId: string | undefined;
  let retryNow = (): void => {};

  const dispatch = ({ name, data, id }: ServerSentEvent): void => {
    if (id !== undefined) lastEventId = id;
    if (name === "snapshot") listener.onSnapshot(JSON.parse(data) as Snapshot);
    else if (name === "recorded") listener.onRecorded(JSON.parse(data) as Recorded);
    else if (name === "live") listener.onLive(JSON.parse(data) as Live);
  };

  const connect = async (onConnected: () => void): Promise<void> => {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    stopped.signal.addEventListener("abort", end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const response = await daemon.events(lastEventId, connection.signal);
      if (!response.ok || response.body === null) return;
      onConnected();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const read = eventReader();
      for (;;) {
        const { done, value } = await reader.read();
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        if (done) return;
        for (const event of read(value)) dispatch(event);
      }
    } finally {
      clearTimeout(silence);
      stopped.signal.removeEventListener("abort", end);
      connection.abort();
    }
  };

  const reconnectForever = async (): Promise<void> => {
    let failures = 0;
    listener.onState("connecting");
    while (!stopped.signal.aborted) {
      await connect(() => {
        failures = 0;
        listener.onState("live");
      }).catch(() => {});
      if (stopped.signal.aborted) return;
      listener.onState("lost");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, retryDelay(failures, Math.random()));
        retryNow = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      failures += 1;
    }
  };

  const onOnline = (): void => retryNow();
  globalThis.addEventListener("online", onOnline);
  void reconnectForever();
  return () => {
    globalThis.removeEventListener("online", onOnline);
    stopped.abort();
    retryNow();
  };
}
