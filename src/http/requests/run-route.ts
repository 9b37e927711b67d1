import type { RunEvent } from "../../contract/service/work-request.ts";
import { executeRequest } from "../../runtime/requests/execute-request.ts";
import { STOPPING } from "./request-interrupted.ts";
import { openRequestStream, type RequestStream } from "./request-stream.ts";
import { readWorkRequest } from "./read-request.ts";
import { thrownAnswer } from "../respond.ts";
import type { RouteHandler } from "../route-handler.ts";

/**
 * `POST /run`: has something done and tells what happens until it is. A refusal of what was asked is an ordinary answer;
 * the stream begins with the first thing that happens, and what goes wrong after that is its last event. A client that
 * goes away, or does not read, leaves the work to the daemon.
 */
export const runRoute: RouteHandler = async (context) => {
  const workRequest = readWorkRequest(context.input);
  if (!workRequest.ok) return workRequest;
  const left = new AbortController();
  let stream: RequestStream | undefined;
  const tell = (event: RunEvent): void => {
    stream ??= openRequestStream(context, () => left.abort());
    stream.tell(event);
  };
  try {
    const signal = AbortSignal.any([context.signal, context.closing, left.signal]);
    const ended = await executeRequest(context.project, workRequest.value, tell, signal);
    if (!ended.ok && stream === undefined) return ended;
    tell(ended.ok ? ended.value : { type: "error", ...ended.error });
  } catch (thrown) {
    if (context.signal.aborted || left.signal.aborted) return undefined;
    if (stream === undefined && context.closing.aborted) return STOPPING;
    if (stream === undefined) throw thrown;
    const { error } = context.closing.aborted ? STOPPING : thrownAnswer(thrown, context.request, context.log);
    tell({ type: "error", ...error });
  } finally {
    stream?.end();
  }
  return undefined;
};
