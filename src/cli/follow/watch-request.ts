import type { Client } from "../../client/client.ts";
import type { WorkRequest, RequestResult, RunEvent } from "../../contract/service/work-request.ts";

/** How watching ended: the request has its result, was refused or failed, or the signal came first. */
type WatchResult =
  | { readonly kind: "done"; readonly result: RequestResult }
  | { readonly kind: "refused"; readonly error: Extract<RunEvent, { type: "error" }>; readonly began: boolean }
  | { readonly kind: "interrupted"; readonly space: string | undefined };

/** Starts a work request and shows its events until its result or the signal. The signal does not stop the work. */
export async function watchRequest(
  client: Client,
  request: WorkRequest,
  show: (event: RunEvent) => void,
  signal: AbortSignal,
): Promise<WatchResult> {
  let space: string | undefined;
  let began = false;
  try {
    for await (const event of client.run(request, signal)) {
      if (event.type === "error") return { kind: "refused", error: event, began };
      began = true;
      if (event.type === "started") ({ space } = event);
      show(event);
      if (event.type === "done") return { kind: "done", result: event };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { kind: "interrupted", space };
}
