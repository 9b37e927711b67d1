import type { WorkRequest, RunEvent } from "../contract/service/work-request.ts";
import { Fault } from "../kernel/fault.ts";
import { readResponse } from "./read-response.ts";
import type { WireRequest, WireResponse } from "./transport/connection.ts";
import { readEvents } from "./transport/server-sent-events.ts";
import { toUnreachable } from "./unreachable.ts";

/** Yields the events of `POST /run`. The last is `done` or `error`; throws when the stream ends without it. */
export async function* streamRequest(
  send: (request: WireRequest) => Promise<WireResponse>,
  workRequest: WorkRequest,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunEvent, void> {
  const body = JSON.stringify(workRequest);
  const abortable = signal === undefined ? {} : { signal };
  const response = await send({ method: "POST", path: "/run", body, timeoutMs: 0, ...abortable });
  if (response.status !== 200) {
    const refused = await readResponse(response);
    if (!refused.ok) yield { type: "error", ...refused.error };
    return;
  }
  let started = !("workflow" in workRequest);
  try {
    for await (const { event, data } of readEvents(response.body)) {
      const runEvent = { ...JSON.parse(data), type: event } as RunEvent;
      if (runEvent.type === "started") started = true;
      yield runEvent;
      if (runEvent.type === "done" || runEvent.type === "error") return;
      // What is already read counts no more than what is still to come.
      signal?.throwIfAborted();
    }
  } catch (error) {
    signal?.throwIfAborted();
    const reason = toUnreachable(error);
    throw reason instanceof Fault && !started ? NOTHING_BEGUN : reason;
  }
  signal?.throwIfAborted();
  throw started ? WORK_GOES_ON : NOTHING_BEGUN;
}

const WORK_GOES_ON = new Fault("daemon_unreachable", "The daemon went away before the work was done.", {
  hint: "The work goes on when a daemon runs again. See: agent-worker status",
});
const NOTHING_BEGUN = new Fault(
  "daemon_unreachable",
  "The daemon went away during the setup of the workflow; nothing was begun.",
  { hint: "Its workspace is closed when a daemon runs again. Then start it again." },
);
