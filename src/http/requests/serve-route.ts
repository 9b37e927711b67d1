import { executeRequest } from "../../runtime/requests/execute-request.ts";
import { STOPPING } from "./request-interrupted.ts";
import { readWorkRequest } from "./read-request.ts";
import type { RouteHandler } from "../route-handler.ts";

/** `POST /serve`: the same as `/run`, answered once, when it is done. */
export const serveRoute: RouteHandler = async (context) => {
  const workRequest = readWorkRequest(context.input);
  if (!workRequest.ok) return workRequest;
  try {
    const signal = AbortSignal.any([context.signal, context.closing]);
    return await executeRequest(context.project, workRequest.value, () => {}, signal);
  } catch (thrown) {
    if (context.signal.aborted) return undefined;
    if (context.closing.aborted) return STOPPING;
    throw thrown;
  }
};
