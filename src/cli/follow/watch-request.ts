import type { WorkRequest, RequestResult, RunEvent } from "../../contract/service/work-request.ts";
import type { Client } from "../../client/client.ts";

/** How watching ended. `refused`: with the reason, when nothing had happened yet or nobody watches any more. */
export type Watched =
  | { readonly kind: "done"; readonly end: RequestResult }
  | { readonly kind: "refused"; readonly error: Extract<RunEvent, { type: "error" }>; readonly began: boolean }
  | { readonly kind: "left"; readonly space: string | undefined };

/** Has an workRequest done and shows what happens, until its end or until the signal: then the work goes on unwatched. */
export async function showRequest(
  client: Client,
  workRequest: WorkRequest,
  show: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<Watched> {
  let space: string | undefined;
  let began = false;
  try {
    for await (const event of client.run(workRequest, signal)) {
      if (event.type === "error") return { kind: "refused", error: event, began };
      began = true;
      if (event.type === "started") ({ space } = event);
      show(event);
      if (event.type === "done") return { kind: "done", end: event };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { kind: "left", space };
}
