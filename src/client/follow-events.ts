import { holdProcess, type Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { WireEvent } from "./client.ts";
import type { WireAnswer, WireRequest } from "./transport/connection.ts";
import { readAnswer } from "./read-answer.ts";
import { refusedFault } from "./refused-fault.ts";
import { readEvents } from "./transport/server-sent-events.ts";
import { lostConnection } from "./unreachable.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Every recorded event once, in order, for as long as somebody listens: a connection that ends, with the daemon or
 * because we were too slow for it, is made again where it ended. What is refused is thrown.
 */
export async function* followEvents(
  ask: (request: WireRequest) => Promise<WireAnswer>,
  clock: Clock,
  { since, signal }: { readonly since?: number; readonly signal?: AbortSignal } = {},
): AsyncGenerator<WireEvent, void> {
  const request = { method: "GET", path: "/events", ...(signal === undefined ? {} : { signal }) };
  let last = since;
  let wait = FIRST_WAIT_MS;
  const isOver = (): boolean => signal?.aborted ?? false;
  while (!isOver()) {
    let refusal: Refusal | undefined;
    try {
      const headers = last === undefined ? {} : { "last-event-id": String(last) };
      const answer = await ask({ ...request, headers });
      if (answer.status === 200) {
        for await (const { event, data } of readEvents(answer.body)) {
          wait = FIRST_WAIT_MS;
          const told = JSON.parse(data) as Partial<WireEvent>;
          if (event === "snapshot") last ??= told.seq;
          else if (isRecorded(told)) {
            last = told.seq;
            yield told;
          }
        }
      } else {
        const refused = await readAnswer(answer);
        if (!refused.ok && refused.error.code !== "unavailable") refusal = refused.error;
      }
    } catch (error) {
      if (isOver()) return;
      const fault = lostConnection(error);
      if (!(fault instanceof Fault) || fault.code !== "daemon_unreachable") throw fault;
    }
    if (refusal !== undefined) throw refusedFault(refusal);
    {
      using _alive = holdProcess();
      await clock.sleep(wait, signal).catch(() => {});
    }
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** Other events say something about the stream itself: that it closes, or that we were too slow. */
function isRecorded(event: Partial<WireEvent>): event is WireEvent {
  return typeof event.seq === "number" && typeof event.type === "string";
}
