import type { TimedRunView } from "../../../../src/contract/activity/timeline.ts";

/** What an agent did or waited for, from when to when, in milliseconds since 1970. */
export interface TimelineBar {
  readonly kind: "waiting" | "model" | "tools" | "parked";
  readonly from: number;
  readonly to: number;
}

export interface TimelineRun {
  readonly run: TimedRunView;
  readonly bars: readonly TimelineBar[];
}

/** The runs of one agent, oldest first. */
export interface TimelineLane {
  readonly agent: string;
  readonly runs: readonly TimelineRun[];
}

/**
 * Returns what a run did when. What is between its steps is parked, whatever it waited for.
 *
 * @internal
 */
export function barsOf(run: TimedRunView, now: number): readonly TimelineBar[] {
  const started = Date.parse(run.startedAt);
  const ended = run.endedAt === null ? now : Date.parse(run.endedAt);
  const bars: TimelineBar[] = [];
  const add = (kind: TimelineBar["kind"], from: number, to: number): void => {
    if (to > from) bars.push({ kind, from, to });
  };
  if (run.wokenBy !== null) add("waiting", Date.parse(run.wokenBy.at), started);
  let at = started;
  for (const { startedAt, finishedAt, toolMs } of run.steps) {
    const [from, to] = [Math.max(at, Date.parse(startedAt)), Date.parse(finishedAt)];
    // Before its first step it is made ready.
    add(bars.some(({ kind }) => kind !== "waiting") ? "parked" : "waiting", at, from);
    const tools = Math.max(from, to - (toolMs ?? 0));
    add("model", from, tools);
    add("tools", tools, to);
    at = Math.max(at, to);
  }
  if (run.endedAt === null) add(run.state === "open" ? "model" : "parked", at, ended);
  return bars;
}

/** Returns a lane for each agent, in the order in which they began. */
export function lanesOf(runs: readonly TimedRunView[], now: number): readonly TimelineLane[] {
  const ordered = runs.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  return [...Map.groupBy(ordered, ({ agent }) => agent)].map(([agent, own]) => ({
    agent,
    runs: own.map((run) => ({ run, bars: barsOf(run, now) })),
  }));
}

/** Times in which nobody was at work are drawn at most this long, however long they were. */
const LONGEST_GAP_MS = 3_000;

/** Returns the place of a time on the line, from 0 to 100. Long times in which nobody was at work are shortened. */
export function timeScale(bars: readonly TimelineBar[]): (time: number) => number {
  const times = bars.flatMap(({ from, to }) => [from, to]);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const busy: { from: number; to: number }[] = [];
  for (const { kind, from, to } of bars.toSorted((a, b) => a.from - b.from)) {
    if (kind === "waiting" || kind === "parked") continue;
    const before = busy.at(-1);
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
    else busy.push({ from, to });
  }
  /** Where the line bends: a time, and how far from the left it is drawn. */
  const bends = [{ time: first, at: 0 }];
  const go = (time: number, most: number): void => {
    const end = bends.at(-1) ?? { time: first, at: 0 };
    if (time > end.time) bends.push({ time, at: end.at + Math.min(time - end.time, most) });
  };
  for (const { from, to } of busy) {
    go(from, LONGEST_GAP_MS);
    go(to, Infinity);
  }
  go(last, LONGEST_GAP_MS);
  const width = bends.at(-1)?.at ?? 0;
  return (time) => {
    const next = bends.findIndex((bend) => bend.time >= time);
    const [left, right] = [bends[Math.max(0, next - 1)], bends[next === -1 ? bends.length - 1 : next]];
    if (left === undefined || right === undefined || width === 0) return 0;
    const part = right.time === left.time ? 0 : (time - left.time) / (right.time - left.time);
    return ((left.at + (right.at - left.at) * Math.min(1, Math.max(0, part))) / width) * 100;
  };
}

/** Who woke whom, and how often. */
export interface WakeEdge {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

export function wakeEdges(runs: readonly TimedRunView[]): readonly WakeEdge[] {
  const counts = new Map<string, WakeEdge>();
  for (const { agent: to, wokenBy } of runs) {
    if (wokenBy === null) continue;
    const key = JSON.stringify([wokenBy.from, to]);
    counts.set(key, { from: wokenBy.from, to, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count);
}
