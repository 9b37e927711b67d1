import { workRequest } from "../../contract/service/work-request.ts";
import { persons } from "../../operations/core/access.ts";
import { eventStream } from "../streams/event-stream.ts";
import { streamFilter } from "../streams/stream-filter.ts";
import { LARGE_BODY_BYTES, SMALL_BODY_BYTES } from "../request-body.ts";
import { runRoute } from "./run-route.ts";
import type { ProjectRoute } from "../served-route.ts";
import { serveRoute } from "./serve-route.ts";

/** Having something done, and watching: for persons only. Each checks its input by itself. */
export const requestRoutes: readonly ProjectRoute[] = [
  {
    kind: "project",
    method: "POST",
    path: "/run",
    access: persons,
    bodyLimit: LARGE_BODY_BYTES,
    handle: runRoute,
    about: {
      id: "run",
      summary:
        "Have something done by an agent, a workflow or agents given here, and hear of it as it happens: setup, started, step, chunk, tool_call, tool_result, message, error and at the end done.",
      input: workRequest,
      mediaType: "text/event-stream",
    },
  },
  {
    kind: "project",
    method: "POST",
    path: "/serve",
    access: persons,
    bodyLimit: LARGE_BODY_BYTES,
    handle: serveRoute,
    about: { id: "serve", summary: "The same, answered once, with what `done` says.", input: workRequest },
  },
  {
    kind: "project",
    method: "GET",
    path: "/events",
    access: persons,
    bodyLimit: SMALL_BODY_BYTES,
    handle: eventStream,
    stream: true,
    about: {
      id: "events",
      summary:
        "What happens in a project: a snapshot, then every recorded event with its id, from which Last-Event-ID goes on.",
      input: streamFilter,
      mediaType: "text/event-stream",
    },
  },
];
