import type { Client } from "../../client/client.ts";
import type { Clock } from "../../kernel/clock.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Yields whenever the caller should read a space again: at once, after each of its events, and after a pause of at most
 * a second, because events are missed while the stream is being opened. Ends with the signal.
 */
export async function* watchSpace(
  client: Client,
  space: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<undefined> {
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  let changed = Promise.withResolvers<void>();
  const listen = async (): Promise<void> => {
    for await (const event of client.events({ signal: until })) {
      if (event["space"] === undefined || event["space"] === space) changed.resolve();
    }
  };
  listen().catch((error: unknown) => changed.reject(error));
  try {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      yield;
      const raced = new AbortController();
      const pause = clock.sleep(pauseMs, AbortSignal.any([until, raced.signal])).catch(() => {});
      await Promise.race([changed.promise, pause]);
      raced.abort();
      changed = Promise.withResolvers();
    }
  } finally {
    ended.abort();
  }
}
