import { persons } from "../../operations/core/access.ts";
import type { RunningProject } from "../../runtime/running-project.ts";
import { SMALL_BODY_BYTES } from "../request-body.ts";
import type { HttpRequestContext } from "../request-context.ts";
import type { ProjectRoute, RouteHandler } from "../served-route.ts";
import {
  createEventFanOut,
  EVENT_PAGE,
  matchesFilter,
  recordedFrame,
  spaceOf,
  type EventFanOut,
} from "./event-fan-out.ts";
import { takeSnapshot } from "./event-snapshot.ts";
import { openSseStream, serverSentEvent, type SseStream } from "./sse-stream.ts";
import { readStreamQuery, streamQuery, type StreamQuery } from "./stream-filter.ts";

/**
 * `GET /events`: a `snapshot` of the state, then the recorded events in order, as long as the client is connected and
 * reads. A client that reconnects with the id of the last event it has seen first gets the events since then.
 *
 * @internal
 */
export const eventStream: RouteHandler = async (context) => {
  const query = readStreamQuery(context.input, context.request.headers["last-event-id"]?.toString());
  if (!query.ok) return query;
  const { project, response } = context;
  const audience = join(context);
  let snapshot: string;
  try {
    await audience.fanOut.ready;
    snapshot = await snapshotOf(project, audience);
  } catch (error) {
    leave(project, audience);
    throw error;
  }
  if (response.destroyed) {
    leave(project, audience);
    return undefined;
  }
  const endStream = (): void => stream.end(CLOSING);
  const closings = [context.closing, project.closing];
  const stream = openSseStream(context, () => {
    for (const signal of closings) signal.removeEventListener("abort", endStream);
    audience.fanOut.leave(stream);
    leave(project, audience);
  });
  for (const signal of closings) signal.addEventListener("abort", endStream);
  stream.write(snapshot);
  await catchUp(project, audience.fanOut, stream, query.value);
  return undefined;
};

const CLOSING = serverSentEvent("closing", {
  code: "unavailable",
  message: "The daemon is stopping. Come back later.",
});

export const eventRoute: ProjectRoute = {
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
      "What happens in a project: a snapshot, then every recorded event with its id, from which Last-Event-ID goes on; `reset` says that events in between are not stored any more.",
    input: streamQuery,
    mediaType: "text/event-stream",
  },
};

/** The clients that watch one project. */
interface Audience {
  readonly fanOut: EventFanOut;
  clients: number;
  /** Set while it is being read: clients that connect at the same time share it. */
  snapshot: { readonly seq: number; readonly text: Promise<string> } | undefined;
}

const audiences = new WeakMap<RunningProject, Audience>();

function join({ project, clock, log }: HttpRequestContext): Audience {
  const audience = audiences.get(project) ?? {
    fanOut: createEventFanOut({ project, clock, log }),
    clients: 0,
    snapshot: undefined,
  };
  audiences.set(project, audience);
  audience.clients += 1;
  return audience;
}

function leave(project: RunningProject, audience: Audience): void {
  audience.clients -= 1;
  if (audience.clients > 0) return;
  audience.fanOut.dispose();
  if (audiences.get(project) === audience) audiences.delete(project);
}

async function snapshotOf(project: RunningProject, audience: Audience): Promise<string> {
  const seq = audience.fanOut.cursor.durable;
  if (audience.snapshot?.seq !== seq) {
    const text = takeSnapshot(project, seq).then((snapshot) => serverSentEvent("snapshot", snapshot));
    const shared = { seq, text };
    audience.snapshot = shared;
    const forget = (): void => {
      if (audience.snapshot === shared) audience.snapshot = undefined;
    };
    text.then(forget, forget);
  }
  return audience.snapshot.text;
}

/** Events have consecutive numbers: what is missing was removed because it was old. */
function resetFrame(since: number, oldest: number): string {
  const message = `The events after ${since} and before ${oldest} are not stored any more: what you know may be outdated.`;
  return serverSentEvent("reset", { since, oldest, message });
}

/** How long a client may take to read one page of the events it missed. */
const READ_TIMEOUT_MS = 30_000;

/**
 * Sends the client the events it missed, page by page and no faster than it reads. Then the client joins the others in
 * the same turn of the event loop, so no event is lost between.
 */
async function catchUp(
  project: RunningProject,
  fanOut: EventFanOut,
  stream: SseStream,
  query: StreamQuery,
): Promise<void> {
  // An id above the last one is from another store: the client gets the snapshot and new events only.
  let cursor = Math.min(query.since ?? Infinity, fanOut.cursor.durable);
  while (stream.open && cursor < fanOut.cursor.durable) {
    // Newer events are sent to all clients.
    const until = fanOut.cursor;
    const page = await project.store.read((store) =>
      store.events.after({ ...until, durable: cursor }, EVENT_PAGE, until),
    );
    const [first] = page.events;
    if (first !== undefined && first.seq > cursor + 1) stream.write(resetFrame(cursor, first.seq));
    cursor = page.events.at(-1)?.seq ?? until.durable;
    const matching = page.events.filter((event) => matchesFilter({ space: spaceOf(event), live: false }, query));
    if (matching.length > 0) stream.write(matching.map((event) => recordedFrame(event, until)).join(""));
    if (!(await stream.drained(READ_TIMEOUT_MS))) stream.drop();
  }
  if (stream.open) fanOut.join(stream, query);
}
