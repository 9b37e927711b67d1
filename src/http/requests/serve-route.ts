import { carryOut } from "../../runtime/requests/execute-request.ts";
import { STOPPING } from "./request-interrupted.ts";
import { readErrand } from "./read-request.ts";
import type { RouteHandler } from "../route-handler.ts";

/** `POST /serve`: the same as `/run`, answered once, when it is done. */
export const serveRoute: RouteHandler = async (context) => {
  const errand = readErrand(context.input);
  if (!errand.ok) return errand;
  try {
    const signal = AbortSignal.any([context.signal, context.closing]);
    return await carryOut(context.project, errand.value, () => {}, signal);
  } catch (thrown) {
    if (context.signal.aborted) return undefined;
    if (context.closing.aborted) return STOPPING;
    throw thrown;
  }
};
