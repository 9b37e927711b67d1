import { holdProcess, type Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { LiveEventView } from "../contract/service/live-event.ts";
import type { WatchedEvent, WireEvent } from "./client.ts";
import { readResponse, refusalFault } from "./read-response.ts";
import type { WireRequest, WireResponse } from "./transport/connection.ts";
import { readEvents } from "./transport/server-sent-events.ts";
import { toUnreachable } from "./unreachable.ts";

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

interface FollowOptions {
  readonly since?: number;
  readonly signal?: AbortSignal;
}

type Send = (request: WireRequest) => Promise<WireResponse>;

/**
 * Yields every recorded event once, in order, until the caller stops. When a connection ends, because the daemon stopped
 * or this client was too slow, it reconnects where it ended. Throws on a refusal.
 */
export async function* followEvents(
  send: Send,
  clock: Clock,
  options?: FollowOptions,
): AsyncGenerator<WireEvent, void> {
  for await (const watched of watchEvents(send, clock, { ...options, live: false })) {
    if (watched.kind === "recorded") yield watched.event;
  }
}

/** The same, with whether the daemon is reached, and on request with what happens inside steps. */
export async function* watchEvents(
  send: Send,
  clock: Clock,
  { since, signal, live }: FollowOptions & { readonly live: boolean },
): AsyncGenerator<WatchedEvent, void> {
  const path = live ? "/events?live=1" : "/events";
  const request = { method: "GET", path, ...(signal === undefined ? {} : { signal }) };
  let last = since;
  let wait = FIRST_WAIT_MS;
  const isOver = (): boolean => signal?.aborted ?? false;
  while (!isOver()) {
    let refusal: Refusal | undefined;
    try {
      const headers = last === undefined ? {} : { "last-event-id": String(last) };
      const response = await send({ ...request, headers });
      if (response.status === 200) {
        for await (const { event, data } of readEvents(response.body)) {
          wait = FIRST_WAIT_MS;
          const value = JSON.parse(data) as Partial<WireEvent> & Partial<LiveEventView>;
          if (event === "snapshot") {
            last ??= value.seq;
            yield { kind: "connected" };
          } else if (event === "live") {
            yield { kind: "live", event: value as LiveEventView };
          } else if (isRecorded(value)) {
            last = value.seq;
            yield { kind: "recorded", event: value };
          }
        }
      } else {
        const refused = await readResponse(response);
        if (!refused.ok && refused.error.code !== "unavailable") refusal = refused.error;
      }
    } catch (error) {
      if (isOver()) return;
      const fault = toUnreachable(error);
      if (!(fault instanceof Fault) || fault.code !== "daemon_unreachable") throw fault;
    }
    if (refusal !== undefined) throw refusalFault(refusal);
    if (!isOver()) yield { kind: "lost" };
    {
      using _alive = holdProcess();
      await clock.sleep(wait, signal).catch(() => {});
    }
    wait = Math.min(wait * 2, MAX_WAIT_MS);
  }
}

/** Other events are about the stream itself: that it closes, or that this client was too slow. */
function isRecorded(event: Partial<WireEvent>): event is WireEvent {
  return typeof event.seq === "number" && typeof event.type === "string";
}
