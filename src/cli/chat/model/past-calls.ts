import type { RunCallsView } from "../../../contract/activity/run-calls.ts";
import type { ToolCallView } from "../../../contract/runs.ts";
import type { FeedItem, LiveRun, SeenCall } from "./feed.ts";

/**
 * Adds the tool calls of runs that worked before the chat was open, where they would be if it had been: above what the
 * run said next, or where it was at work when it said nothing. A step that is there already is left out.
 */
export function withPast(
  items: readonly FeedItem[],
  live: readonly LiveRun[],
  runs: readonly RunCallsView[],
): readonly FeedItem[] {
  return runs.toSorted((a, b) => (a.run < b.run ? -1 : 1)).reduce((known, run) => withRun(known, live, run), items);
}

/** Whether a call that is streamed now is there already: streamed before, or stored. */
export function isPast(items: readonly FeedItem[], run: string, step: number, id: string): boolean {
  return items.some(
    (item) =>
      item.kind === "calls" &&
      item.run === run &&
      item.calls.some((call) => call.id === id || (item.past && call.step === step)),
  );
}

function withRun(items: readonly FeedItem[], live: readonly LiveRun[], run: RunCallsView): readonly FeedItem[] {
  const seen = new Set(
    [...items, ...live].flatMap((each) => ("calls" in each && each.run === run.run ? stepsOf(each) : [])),
  );
  return run.steps
    .filter(({ number }) => !seen.has(number))
    .reduce((known, step) => {
      const calls = step.calls.flatMap((call, at) =>
        isAnsweredLater(run, step, call) ? [] : [seenCall(run, step, call, at)],
      );
      if (calls.length === 0) return known;
      const key = `past/${run.run}/${step.number}`;
      const item: FeedItem = { kind: "calls", key, run: run.run, agent: run.agent, past: true, calls };
      return known.toSpliced(placeOf(known, run.run, step.finishedAt), 0, item);
    }, items);
}

function stepsOf({ calls }: { readonly calls: readonly SeenCall[] }): number[] {
  return calls.map(({ step }) => step);
}

type PastStep = RunCallsView["steps"][number];

function seenCall({ run }: RunCallsView, { number }: PastStep, call: ToolCallView, at: number): SeenCall {
  const { tool, args, result, failed } = call;
  const answer = result === null ? {} : { result: { content: result, isError: failed } };
  return { id: `${run}/${number}/${at}`, step: number, tool, args, ...answer };
}

/** A call that waited for a person is stored twice: as it was asked, and with its result in a later step. */
function isAnsweredLater(
  { steps, ended }: RunCallsView,
  { number }: PastStep,
  { tool, args, result }: ToolCallView,
): boolean {
  if (result !== null) return false;
  const isLast = steps.at(-1)?.number === number;
  // The person is asked about it now, which shows it.
  if (isLast && !ended) return true;
  return steps.some(
    (later) => later.number > number && later.calls.some((call) => call.tool === tool && call.args === args),
  );
}

function placeOf(items: readonly FeedItem[], run: string, finishedAt: string): number {
  const done = Date.parse(finishedAt);
  const isSaid = (item: FeedItem): boolean =>
    item.kind === "message" && item.message.run === run && item.message.from !== "system";
  const isAfter = (item: FeedItem): boolean => item.kind === "message" && Date.parse(item.message.at) >= done;
  const next = items.findIndex((item) => isSaid(item) && isAfter(item));
  if (next !== -1) return next;
  const last = items.findLastIndex(isSaid);
  if (last !== -1) return last;
  const later = items.findIndex(isAfter);
  return later === -1 ? items.length : later;
}
