import type { WorkRequest, RunEvent } from "../contract/service/work-request.ts";
import { Fault } from "../kernel/fault.ts";
import type { WireAnswer, WireRequest } from "./transport/connection.ts";
import { readAnswer } from "./read-answer.ts";
import { readEvents } from "./transport/server-sent-events.ts";
import { lostConnection } from "./unreachable.ts";

/** `POST /run`: its events as they come. The last is `done` or `error`; a stream that ends without one was cut. */
export async function* streamRequest(
  ask: (request: WireRequest) => Promise<WireAnswer>,
  workRequest: WorkRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent, void> {
  const body = JSON.stringify(workRequest);
  const watched = signal === undefined ? {} : { signal };
  const answer = await ask({ method: "POST", path: "/run", body, timeoutMs: 0, ...watched });
  if (answer.status !== 200) {
    const refused = await readAnswer(answer);
    if (!refused.ok) yield { type: "error", ...refused.error };
    return;
  }
  try {
    for await (const { event, data } of readEvents(answer.body)) {
      const told = { ...JSON.parse(data), type: event } as RunEvent;
      yield told;
      if (told.type === "done" || told.type === "error") return;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw lostConnection(error);
  }
  signal?.throwIfAborted();
  throw new Fault("daemon_unreachable", "The daemon went away before the work was done.", {
    hint: "The work goes on when a daemon runs again. See: agent-worker status",
  });
}
