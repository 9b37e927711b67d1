import { NO_EVENTS, type EventCursor, type RecordedEvent } from "../../domain/event.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { RunningProject } from "../../runtime/running-project.ts";
import type { LiveEvent } from "../../runtime/runs/live-event.ts";
import { HEARTBEAT, HEARTBEAT_MS, serverSentEvent, type SseStream } from "./sse-stream.ts";
import type { StreamFilter } from "./stream-filter.ts";

/**
 * Sends the events of one project to all its clients. When the project announces new recorded events, they are read
 * from the store once for all clients, in the order of their numbers, so that none is missing and none is sent twice.
 * A client that was disconnected is sent the same pages separately until it has caught up. Each event is encoded once;
 * all events of one turn of the event loop are one write per client.
 */
export interface EventFanOut {
  /** Up to where recorded events were sent; streams that join get only later ones. */
  readonly cursor: EventCursor;
  /** Resolves once `cursor` is known. */
  readonly ready: Promise<void>;
  /** Sends the stream the events after `cursor`; with `live`, first what runs have streamed so far. */
  join(stream: SseStream, filter: StreamFilter): void;
  leave(stream: SseStream): void;
  dispose(): void;
}

interface Frame {
  readonly text: string;
  readonly space: string | undefined;
  readonly live: boolean;
  /** The number of a live event, in the order in which they were announced. */
  readonly number?: number;
}

/** Clients with the same filter, which get the same bytes. */
interface Group {
  readonly filter: StreamFilter;
  readonly streams: Set<SseStream>;
}

export const EVENT_PAGE = 500;

export function createEventFanOut(parts: {
  readonly project: RunningProject;
  readonly clock: Clock;
  readonly log: Log;
}): EventFanOut {
  const { project, clock, log } = parts;
  const groups = new Map<string, Group>();
  const closed = new AbortController();
  /** Announced since the last turn, in order. "recorded" stands for any number of events that are to be read. */
  let announced: ({ readonly event: LiveEvent; readonly number: number } | "recorded")[] = [];
  let liveEvents = 0;
  /** Streams that got what was streamed before they joined, and the number of the first live event they have not got. */
  const joined = new Map<SseStream, number>();
  let scheduled = false;
  let sending = Promise.resolve();
  let cursor = NO_EVENTS;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      sending = sending.then(sendAll).catch(giveUp);
    });
  };

  const sendAll = async (): Promise<void> => {
    const batch = announced;
    announced = [];
    let frames: Frame[] = [];
    let read = false;
    for (const each of batch) {
      if (each !== "recorded") {
        frames.push(liveFrame(each.event, each.number));
      } else if (!read) {
        // One read finds everything that is committed by now, for all announcements of the batch.
        read = true;
        for await (const page of newPages()) {
          frames.push(...page);
          if (page.length < EVENT_PAGE) continue;
          send(frames);
          frames = [];
        }
      }
    }
    send(frames);
  };

  async function* newPages(): AsyncGenerator<Frame[]> {
    for (let count = EVENT_PAGE; count === EVENT_PAGE;) {
      const page = await project.store.read((store) => store.events.after(cursor, EVENT_PAGE));
      ({ cursor } = page);
      count = page.events.length;
      yield page.events.map((event) => ({ text: recordedFrame(event, cursor), space: spaceOf(event), live: false }));
    }
  }

  const send = (frames: readonly Frame[]): void => {
    if (frames.length === 0) return;
    for (const { filter, streams } of groups.values()) {
      const matching = frames.filter((frame) => matchesFilter(frame, filter));
      if (matching.length === 0) continue;
      const bytes = Buffer.from(matching.map(({ text }) => text).join(""));
      for (const stream of streams) {
        const first = joined.get(stream);
        const own = first === undefined ? matching : matching.filter(({ number = first }) => number >= first);
        if (own.length === matching.length) stream.write(bytes);
        else if (own.length > 0) stream.write(own.map(({ text }) => text).join(""));
        if (frames.some(({ number = -1 }) => number >= (first ?? Infinity))) joined.delete(stream);
      }
    }
  };

  const allStreams = (): SseStream[] => [...groups.values()].flatMap(({ streams }) => [...streams]);
  const giveUp = (error: unknown): void => {
    if (closed.signal.aborted) return;
    log.error("the events of a project could not be read", { project: project.dir, error });
    const last = serverSentEvent("closing", { code: "unavailable", message: "The events cannot be read now." });
    for (const stream of allStreams()) stream.end(last);
  };

  const sendHeartbeats = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, closed.signal).catch(() => {});
      for (const stream of allStreams()) stream.write(HEARTBEAT);
    }
  };
  void sendHeartbeats();

  const observingRecorded = project.events.observe(() => {
    if (announced.at(-1) !== "recorded") announced.push("recorded");
    schedule();
  });
  const observingLive = project.runtime.live.observe((events) => {
    const first = liveEvents;
    liveEvents += events.length;
    if (groups.values().every(({ filter }) => !filter.live)) return;
    announced.push(...events.map((event, at) => ({ event, number: first + at })));
    schedule();
  });

  const begin = async (): Promise<void> => {
    cursor = await project.store.read((store) => store.events.last());
  };
  const ready = begin();
  sending = ready.catch(giveUp);

  return {
    get cursor() {
      return cursor;
    },
    ready,
    join(stream, filter) {
      const key = `${filter.live} ${filter.space ?? ""}`;
      const group = groups.get(key) ?? { filter, streams: new Set() };
      groups.set(key, group);
      group.streams.add(stream);
      if (!filter.live) return;
      const before = project.runtime.replay.events().map((event) => liveFrame(event));
      joined.set(stream, liveEvents);
      const text = before.filter((frame) => matchesFilter(frame, filter)).map((frame) => frame.text);
      if (text.length > 0) stream.write(text.join(""));
    },
    leave(stream) {
      joined.delete(stream);
      for (const [key, { streams }] of groups) {
        if (streams.delete(stream) && streams.size === 0) groups.delete(key);
      }
    },
    dispose() {
      closed.abort();
      observingRecorded[Symbol.dispose]();
      observingLive[Symbol.dispose]();
    },
  };
}

function liveFrame(event: LiveEvent, number?: number): Frame {
  const frame = { text: serverSentEvent("live", event), space: event.space, live: true };
  return number === undefined ? frame : { ...frame, number };
}

/**
 * An event of a workspace in memory cannot be read again, so its frame has no id, and its number is that of the durable
 * event before it, from which a client would resume.
 */
export function recordedFrame({ isEphemeral, ...event }: RecordedEvent, { durable }: EventCursor): string {
  if (isEphemeral === true) return serverSentEvent("recorded", { ...event, seq: durable });
  return serverSentEvent("recorded", event, event.seq);
}

export function matchesFilter(frame: Pick<Frame, "space" | "live">, filter: StreamFilter): boolean {
  return (filter.live || !frame.live) && (filter.space === undefined || frame.space === filter.space);
}

export function spaceOf(event: RecordedEvent): string | undefined {
  return "space" in event ? event.space : undefined;
}
