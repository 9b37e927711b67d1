import type { LiveEventView } from "../../../contract/service/live-event.ts";
import type { FeedItem, LiveRun, SeenCall } from "./feed.ts";
import { isPast } from "./past-calls.ts";

/** The arguments of a call that was made before the chat was open, or while the daemon was gone: nobody says them again. */
const BEFORE_CHAT = {};

/**
 * Returns the live runs after an event. Words of an earlier step that became no message are left out, and so are calls
 * that are among the items: a chat that connects again hears everything that its runs have streamed so far.
 */
export function followLive(
  runs: readonly LiveRun[],
  items: readonly FeedItem[],
  event: LiveEventView,
): readonly LiveRun[] {
  const found = runs.find(({ run }) => run === event.run);
  const before = found ?? { run: event.run, agent: event.agent, step: 1, text: "", calls: [] };
  if ("id" in event && isPast(items, event.run, before.step, event.id)) return runs;
  const after = changed(before, event);
  return found === undefined ? [...runs, after] : runs.map((each) => (each === found ? after : each));
}

function changed(live: LiveRun, event: LiveEventView): LiveRun {
  switch (event.type) {
    case "step":
      return { ...live, step: event.number, text: "" };
    case "text":
      return { ...live, text: live.text + event.text };
    case "tool-call": {
      const { id, tool, shown = event.args } = event;
      return { ...live, calls: [...live.calls, { id, step: live.step, tool, args: shown }] };
    }
    case "tool-result": {
      const { id, tool, content, isError, shown = event.args } = event;
      const isSeen = live.calls.some((call) => call.id === id);
      const calls = isSeen ? live.calls : [...live.calls, { id, step: live.step, tool, args: shown ?? BEFORE_CHAT }];
      const answered = (call: SeenCall): SeenCall => ({
        ...call,
        args: event.shown ?? call.args,
        result: { content, isError },
      });
      return { ...live, calls: calls.map((call) => (call.id === id ? answered(call) : call)) };
    }
  }
}
