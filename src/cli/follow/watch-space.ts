import type { Client } from "../../client/client.ts";
import type { Clock } from "../../kernel/clock.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Says when it is worth looking at a space again: at once, after each event that is about it, and now and then in any
 * case, because what happened while the stream of events was being opened is told to nobody. Ends with the signal.
 */
export async function* watchSpace(
  client: Client,
  space: string,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<undefined> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  let news = Promise.withResolvers<void>();
  const listen = async (): Promise<void> => {
    for await (const event of client.events({ signal: until })) {
      if (event["space"] === undefined || event["space"] === space) news.resolve();
    }
  };
  listen().catch((error: unknown) => news.reject(error));
  try {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      yield;
      const waited = new AbortController();
      const pause = clock.sleep(pauseMs, AbortSignal.any([until, waited.signal])).catch(() => {});
      await Promise.race([news.promise, pause]);
      waited.abort();
      news = Promise.withResolvers();
    }
  } finally {
    over.abort();
  }
}
