import {
  SERVE_WAIT_LIMIT_MS,
  workRequest,
  type CheckedWorkRequest,
  type RunEvent,
} from "../../contract/service/work-request.ts";
import { refuse } from "../../kernel/refusal.ts";
import { persons } from "../../operations/core/access.ts";
import { executeRequest } from "../../runtime/requests/execute-request.ts";
import { LARGE_BODY_BYTES } from "../request-body.ts";
import { errorResponse } from "../respond.ts";
import type { ProjectRoute, RouteHandler } from "../served-route.ts";
import { readWorkRequest } from "./read-request.ts";
import { openRequestStream, type RequestStream } from "./request-stream.ts";

/**
 * `POST /run`: executes a work request and streams its events. A refusal of the request is an ordinary response; the
 * stream begins with the first event, and a later failure is its last event. The work goes on in the daemon when the
 * client disconnects or does not read.
 *
 * @internal
 */
export const runRequest: RouteHandler = async (context) => {
  const request = readWorkRequest(context.input);
  if (!request.ok) return request;
  const streamEnded = new AbortController();
  let stream: RequestStream | undefined;
  let started = false;
  const send = (event: RunEvent): void => {
    if (event.type === "started") started = true;
    stream ??= openRequestStream(context, () => streamEnded.abort());
    stream.send(event);
  };
  try {
    const signal = AbortSignal.any([context.signal, context.closing, streamEnded.signal]);
    const result = await executeRequest(context.project, request.value, send, signal);
    if (!result.ok && stream === undefined) return result;
    send(result.ok ? result.value : { type: "error", ...result.error });
  } catch (thrown) {
    if (context.signal.aborted || streamEnded.signal.aborted) return undefined;
    if (stream === undefined && context.closing.aborted) return stopping(request.value, started);
    if (stream === undefined) throw thrown;
    const { error } = context.closing.aborted
      ? stopping(request.value, started)
      : errorResponse(thrown, context.request, context.log);
    send({ type: "error", ...error });
  } finally {
    stream?.end();
  }
  return undefined;
};

/**
 * `POST /serve`: the same as `/run`, with one response when the work is done, or when it only waits for too long.
 *
 * @internal
 */
export const serveRequest: RouteHandler = async (context) => {
  const request = readWorkRequest(context.input);
  if (!request.ok) return request;
  let started = false;
  const watch = (event: RunEvent): void => {
    if (event.type === "started") started = true;
  };
  try {
    const signal = AbortSignal.any([context.signal, context.closing]);
    const limited = { ...request.value, waitLimitMs: request.value.waitLimitMs ?? SERVE_WAIT_LIMIT_MS };
    return await executeRequest(context.project, limited, watch, signal);
  } catch (thrown) {
    if (context.signal.aborted) return undefined;
    if (context.closing.aborted) return stopping(request.value, started);
    throw thrown;
  }
};

/** Says what becomes of the work when the daemon stops before it is done. */
function stopping(request: CheckedWorkRequest, started: boolean) {
  if ("workflow" in request && !started) {
    return refuse("unavailable", "The daemon is stopping during the setup of the workflow; nothing was begun.", {
      hint: "Its workspace is closed. Start it again.",
    });
  }
  return refuse("unavailable", "The daemon is stopping before the work is done.", {
    hint: "The work goes on when it is started again. What agents of this request only were doing is lost.",
  });
}

const POST = { kind: "project", method: "POST", access: persons, bodyLimit: LARGE_BODY_BYTES } as const;

/** Work requests: for persons only. The handlers check their input themselves. */
export const requestRoutes: readonly ProjectRoute[] = [
  {
    ...POST,
    path: "/run",
    handle: runRequest,
    about: {
      id: "run",
      summary:
        "Have something done by an agent, a workflow or agents given here, or have a message answered, and hear of it as it happens: setup, started, step, chunk, tool_call, tool_result, message, waiting, votes_awaited, error and at the end done.",
      input: workRequest,
      mediaType: "text/event-stream",
    },
  },
  {
    ...POST,
    path: "/serve",
    handle: serveRequest,
    about: { id: "serve", summary: "The same, answered once, with what `done` says.", input: workRequest },
  },
];
