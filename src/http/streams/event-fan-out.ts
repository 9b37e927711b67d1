import { NO_EVENTS, type EventCursor, type RecordedEvent } from "../../domain/event.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { LiveEvent } from "../../runtime/runs/live-events.ts";
import type { RunningProject } from "../../runtime/running-project.ts";
import { HEARTBEAT, HEARTBEAT_MS, serverSentEvent } from "./server-sent-event.ts";
import type { SseStream } from "./sse-stream.ts";

/**
 * Tells all clients of one project what happens. Recorded events are read from the store, once for everybody, when the
 * project says that there are new ones: so they come in the order of their numbers, none is missing and none comes
 * twice, and a client that was away reads the same pages for itself until it has caught up with the others. Each event
 * is encoded once; all that a turn of the event loop brings goes to a client in one write.
 */
export interface EventFanOut {
  /** Up to where recorded events were sent; a stream that joins gets none of them. */
  readonly cursor: EventCursor;
  /** Resolves once `cursor` is known. */
  readonly ready: Promise<void>;
  /** Sends the stream what comes after `cursor`. */
  join(stream: SseStream, wish: Wish): void;
  leave(stream: SseStream): void;
  dispose(): void;
}

/** What a client wants to be told of. */
export interface Wish {
  /** Only what happens in this space. */
  readonly space: string | undefined;
  /** Also what is never recorded: words as they come, tools as they are called. */
  readonly live: boolean;
}

interface Frame {
  readonly text: string;
  readonly space: string | undefined;
  readonly live: boolean;
}

/** Clients that want the same, and so are written the same bytes. */
interface Group {
  readonly wish: Wish;
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
  /** What came since the last turn, in order. Of recorded events only that there are some: they are read. */
  let came: (LiveEvent | "recorded")[] = [];
  let scheduled = false;
  let telling = Promise.resolve();
  let cursor = NO_EVENTS;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      telling = telling.then(tellAll).catch(giveUp);
    });
  };

  const tellAll = async (): Promise<void> => {
    const batch = came;
    came = [];
    let frames: Frame[] = [];
    let read = false;
    for (const event of batch) {
      if (event !== "recorded") {
        frames.push({ text: serverSentEvent("live", event), space: event.space, live: true });
      } else if (!read) {
        // One reading finds everything that is committed by now, whichever of the marks it was for.
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
    for (const { wish, streams } of groups.values()) {
      const wanted = frames.filter((frame) => isWanted(frame, wish));
      if (wanted.length === 0) continue;
      const bytes = Buffer.from(wanted.map(({ text }) => text).join(""));
      for (const stream of streams) stream.write(bytes);
    }
  };

  const everyone = (): SseStream[] => [...groups.values()].flatMap(({ streams }) => [...streams]);
  const giveUp = (error: unknown): void => {
    if (closed.signal.aborted) return;
    log.error("the events of a project could not be read", { project: project.dir, error });
    const last = serverSentEvent("closing", { code: "unavailable", message: "The events cannot be read now." });
    for (const stream of everyone()) stream.end(last);
  };

  const beat = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, closed.signal).catch(() => {});
      for (const stream of everyone()) stream.write(HEARTBEAT);
    }
  };
  void beat();

  const observingRecorded = project.events.observe(() => {
    if (came.at(-1) !== "recorded") came.push("recorded");
    schedule();
  });
  const observingLive = project.runtime.live.observe((events) => {
    if (groups.values().every(({ wish }) => !wish.live)) return;
    came.push(...events);
    schedule();
  });

  const begin = async (): Promise<void> => {
    cursor = await project.store.read((store) => store.events.last());
  };
  const ready = begin();
  telling = ready.catch(giveUp);

  return {
    get cursor() {
      return cursor;
    },
    ready,
    join(stream, wish) {
      const key = `${wish.live} ${wish.space ?? ""}`;
      const group = groups.get(key) ?? { wish, streams: new Set() };
      groups.set(key, group);
      group.streams.add(stream);
    },
    leave(stream) {
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

/**
 * An event of a workspace in memory cannot be requested again, so its frame has no id, and its number is that of the
 * durable event it came after: a client would resume from there.
 */
export function recordedFrame({ isEphemeral, ...event }: RecordedEvent, { durable }: EventCursor): string {
  if (isEphemeral === true) return serverSentEvent("recorded", { ...event, seq: durable });
  return serverSentEvent("recorded", event, event.seq);
}

export function isWanted(frame: Pick<Frame, "space" | "live">, wish: Wish): boolean {
  return (wish.live || !frame.live) && (wish.space === undefined || frame.space === wish.space);
}

export function spaceOf(event: RecordedEvent): string | undefined {
  return "space" in event ? event.space : undefined;
}
