import type { LiveEvent } from "./live-event.ts";

/**
 * What the runs that are executed now have streamed so far. Whoever connects in the middle gets it first, so that a text
 * has its beginning. In memory only: what counts is stored when a step is finished.
 */
export interface LiveReplay {
  add(event: LiveEvent): void;
  /** The run is not executed any more. */
  end(run: string): void;
  /** Returns events that show the same as everything that was added for these runs. */
  events(): readonly LiveEvent[];
}

/** What the page and the terminal show of a draft; earlier text of a long run is not sent again. */
const MAX_CHARS = 20_000;
const MAX_EVENTS = 200;

export function createLiveReplay(): LiveReplay {
  const runs = new Map<string, LiveEvent[]>();
  return {
    add(event) {
      const events = runs.get(event.run) ?? [];
      runs.set(event.run, events);
      const last = events.at(-1);
      if (event.type === "text" && last?.type === "text") {
        events[events.length - 1] = { ...last, text: (last.text + event.text).slice(-MAX_CHARS) };
      } else {
        events.push(event);
        if (events.length > MAX_EVENTS) events.shift();
      }
    },
    end: (run) => void runs.delete(run),
    events: () => [...runs.values()].flat(),
  };
}
