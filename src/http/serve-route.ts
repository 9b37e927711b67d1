import { carryOut } from "../runtime/errand.ts";
import { STOPPING } from "./errand-interrupted.ts";
import { readErrand } from "./read-errand.ts";
import type { RouteHandler } from "./route-handler.ts";

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
