import type { LiveEventView } from "../../../contract/service/live-event.ts";
import type { LiveRun, SeenCall } from "./feed.ts";

/** The arguments of a call that was made before the chat was open, or while the daemon was gone: nobody says them again. */
const BEFORE_CHAT = {};

/** Returns the live runs after an event. Words of an earlier step that became no message are left out. */
export function followLive(runs: readonly LiveRun[], event: LiveEventView): readonly LiveRun[] {
  const found = runs.find(({ run }) => run === event.run);
  const before = found ?? { run: event.run, agent: event.agent, step: 1, text: "", calls: [] };
  const after = changed(before, event);
  return found === undefined ? [...runs, after] : runs.map((each) => (each === found ? after : each));
}

function changed(live: LiveRun, event: LiveEventView): LiveRun {
  switch (event.type) {
    case "step":
      return { ...live, step: event.number, text: "" };
    case "text":
      return { ...live, text: live.text + event.text };
    case "tool-call":
      return { ...live, calls: [...live.calls, { id: event.id, tool: event.tool, args: event.args }] };
    case "tool-result": {
      const { id, tool, content, isError } = event;
      const isSeen = live.calls.some((call) => call.id === id);
      const calls = isSeen ? live.calls : [...live.calls, { id, tool, args: BEFORE_CHAT }];
      return { ...live, calls: calls.map((call) => (call.id === id ? answered(call, content, isError) : call)) };
    }
  }
}

function answered(call: SeenCall, content: string, isError: boolean): SeenCall {
  return { ...call, result: { content, isError } };
}
