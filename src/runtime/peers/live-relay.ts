import type { Clock } from "../../kernel/clock.ts";
import type { EventHub } from "../../kernel/event-hub.ts";
import type { StorePeers } from "../../ports/store/cluster/peers.ts";
import type { LiveEvent } from "../runs/live-event.ts";

/** Words are collected for this long, so that a fast model does not send a hint for each. */
const COLLECT_MS = 50;

/**
 * Shows the words of a run to those who watch on another daemon. They are told as hints: words that are lost are seen with
 * the step they belong to, which is stored.
 */
export function relayLive(live: EventHub<LiveEvent>, peers: StorePeers, clock: Clock): Disposable {
  const stopped = new AbortController();
  const foreign = new WeakSet<LiveEvent>();
  let collected: LiveEvent[] = [];
  const flush = (): void => {
    const events = collected;
    collected = [];
    for (const text of toTexts(joinWords(events), peers.mostBytes)) peers.tell(text);
  };
  const observing = live.observe((events) => {
    const own = events.filter((event) => !foreign.has(event));
    if (own.length === 0) return;
    if (collected.length === 0) void clock.sleep(COLLECT_MS, stopped.signal).then(flush, () => {});
    collected.push(...own);
  });
  const receiving = peers.observe({
    committed: () => {},
    told(text) {
      const events = parse(text);
      for (const event of events) foreign.add(event);
      live.publish(events);
    },
  });
  return {
    [Symbol.dispose]() {
      stopped.abort();
      observing[Symbol.dispose]();
      receiving[Symbol.dispose]();
    },
  };
}

function parse(text: string): LiveEvent[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? (value as LiveEvent[]) : [];
  } catch {
    return [];
  }
}

/** Words of one run that follow one another become one event. */
function joinWords(events: readonly LiveEvent[]): LiveEvent[] {
  const joined: LiveEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (last?.type === "text" && event.type === "text" && last.run === event.run) {
      joined[joined.length - 1] = { ...last, text: last.text + event.text };
    } else joined.push(event);
  }
  return joined;
}

/** Lists of events as texts, each short enough for a hint. Long words are divided; anything else that is long is left out. */
function toTexts(events: readonly LiveEvent[], most: number): string[] {
  const texts: string[] = [];
  let list: LiveEvent[] = [];
  const end = (): void => {
    if (list.length > 0) texts.push(JSON.stringify(list));
    list = [];
  };
  for (const event of events.flatMap((each) => divide(each, most))) {
    if (bytesOf([...list, event]) > most) end();
    list.push(event);
  }
  end();
  return texts;
}

function divide(event: LiveEvent, most: number): LiveEvent[] {
  if (bytesOf([event]) <= most) return [event];
  if (event.type !== "text" || event.text.length < 2) return [];
  const middle = Math.floor(event.text.length / 2);
  return [event.text.slice(0, middle), event.text.slice(middle)].flatMap((text) => divide({ ...event, text }, most));
}

function bytesOf(events: readonly LiveEvent[]): number {
  return Buffer.byteLength(JSON.stringify(events));
}
