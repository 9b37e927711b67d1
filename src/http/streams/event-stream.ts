import type { RunningProject } from "../../runtime/running-project.ts";
import {
  createEventFanOut,
  EVENT_PAGE,
  isWanted,
  recordedFrame,
  spaceOf,
  type EventFanOut,
  type Wish,
} from "./event-fan-out.ts";
import { takeSnapshot } from "./event-snapshot.ts";
import { readStreamFilter } from "./stream-filter.ts";
import type { RouteContext, RouteHandler } from "../route-handler.ts";
import { serverSentEvent } from "./server-sent-event.ts";
import { openSseStream, type SseStream } from "./sse-stream.ts";

/**
 * `GET /events`: how things are (`snapshot`), then what is recorded, in order, for as long as the client listens and
 * reads. A client that comes back with the id of the last event it has seen gets everything since then first.
 */
export const eventStream: RouteHandler = async (context) => {
  const wish = readStreamFilter(context.input, context.request.headers["last-event-id"]?.toString());
  if (!wish.ok) return wish;
  const { project, response } = context;
  const audience = enter(context);
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
  const sayGoodbye = (): void => stream.end(GOODBYE);
  const stream = openSseStream(context, () => {
    context.closing.removeEventListener("abort", sayGoodbye);
    audience.fanOut.leave(stream);
    leave(project, audience);
  });
  context.closing.addEventListener("abort", sayGoodbye);
  stream.write(snapshot);
  await catchUp(project, audience.fanOut, stream, wish.value);
  return undefined;
};

const GOODBYE = serverSentEvent("closing", {
  code: "unavailable",
  message: "The daemon is stopping. Come back later.",
});

/** Whoever watches a project, and what tells them. */
interface Audience {
  readonly fanOut: EventFanOut;
  clients: number;
  /** Being taken: those who come at the same moment share it. */
  snapshot: { readonly seq: number; readonly taking: Promise<string> } | undefined;
}

/** Only of projects that have one. */
const audiences = new WeakMap<RunningProject, Audience>();

function enter({ project, clock, log }: RouteContext): Audience {
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
    const taking = takeSnapshot(project, seq).then((snapshot) => serverSentEvent("snapshot", snapshot));
    const shared = { seq, taking };
    audience.snapshot = shared;
    const forget = (): void => {
      if (audience.snapshot === shared) audience.snapshot = undefined;
    };
    taking.then(forget, forget);
  }
  return audience.snapshot.taking;
}

/** How long a client may take to read a page of what it missed. */
const PATIENCE_MS = 30_000;

/**
 * Reads for the client, page by page and no faster than it does, until it is where the others are. It joins them in the
 * same turn in which that is seen, so nothing can come between.
 */
async function catchUp(
  project: RunningProject,
  fanOut: EventFanOut,
  stream: SseStream,
  wish: Wish & { readonly since: number | undefined },
): Promise<void> {
  // An id from the future is of another store: what is in the snapshot is all there is.
  let cursor = Math.min(wish.since ?? Infinity, fanOut.cursor.durable);
  while (stream.open && cursor < fanOut.cursor.durable) {
    const until = fanOut.cursor;
    const page = await project.store.read((store) =>
      store.events.after({ ...until, durable: cursor }, EVENT_PAGE, until),
    );
    cursor = page.events.at(-1)?.seq ?? until.durable;
    const wanted = page.events.filter((event) => isWanted({ space: spaceOf(event), live: false }, wish));
    if (wanted.length > 0) stream.write(wanted.map((event) => recordedFrame(event, until)).join(""));
    if (!(await stream.drained(PATIENCE_MS))) stream.drop();
  }
  if (stream.open) fanOut.join(stream, wish);
}
