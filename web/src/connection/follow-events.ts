import type { Daemon } from "./daemon.ts";
import type { Live, Recorded, Snapshot } from "./daemon-event.ts";
import { retryDelay } from "./retry-delay.ts";
import { eventReader, type ServerSentEvent } from "./server-sent-events.ts";

export interface Listener {
  onState(state: "connecting" | "live" | "lost"): void;
  onSnapshot(snapshot: Snapshot): void;
  onRecorded(event: Recorded): void;
  onLive(event: Live): void;
}

/** A connection that is alive says so every quarter of a minute. */
const SILENCE_MS = 40_000;

/**
 * Listens for as long as the page is there. A connection that ends, fails or falls silent is made again, from the last
 * event that was heard. EventSource cannot send a token as a header, hence the reading by hand.
 */
export function followEvents(daemon: Daemon, listener: Listener): () => void {
  const over = new AbortController();
  let lastEventId: string | undefined;
  let wake = (): void => {};

  const take = ({ name, data, id }: ServerSentEvent): void => {
    if (id !== undefined) lastEventId = id;
    if (name === "snapshot") listener.onSnapshot(JSON.parse(data) as Snapshot);
    else if (name === "recorded") listener.onRecorded(JSON.parse(data) as Recorded);
    else if (name === "live") listener.onLive(JSON.parse(data) as Live);
  };

  const listen = async (onAlive: () => void): Promise<void> => {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    over.signal.addEventListener("abort", end);
    let silence = setTimeout(end, SILENCE_MS);
    try {
      const response = await daemon.events(lastEventId, connection.signal);
      if (!response.ok || response.body === null) return;
      onAlive();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const read = eventReader();
      for (;;) {
        const { done, value } = await reader.read();
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
        if (done) return;
        for (const event of read(value)) take(event);
      }
    } finally {
      clearTimeout(silence);
      over.signal.removeEventListener("abort", end);
      connection.abort();
    }
  };

  const goOn = async (): Promise<void> => {
    let failures = 0;
    listener.onState("connecting");
    while (!over.signal.aborted) {
      await listen(() => {
        failures = 0;
        listener.onState("live");
      }).catch(() => {});
      if (over.signal.aborted) return;
      listener.onState("lost");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, retryDelay(failures, Math.random()));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      failures += 1;
    }
  };

  const wakeUp = (): void => wake();
  globalThis.addEventListener("online", wakeUp);
  void goOn();
  return () => {
    globalThis.removeEventListener("online", wakeUp);
    over.abort();
    wake();
  };
}
