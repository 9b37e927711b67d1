import { describe, expect, it } from "vitest";
import type { TimedRunView } from "../../../src/contract/activity/timeline.ts";
import type { MessageView } from "../../../src/contract/messages.ts";
import type { UsageView } from "../../../src/contract/usage.ts";
import { relatedMessages } from "../../../web/src/state/message-list.ts";
import {
  MOST_MESSAGES,
  withEarlier,
  withLater,
  type MessageWindow,
} from "../../../web/src/state/reading/message-window.ts";
import { foundOptions, placeOptions } from "../../../web/src/state/reading/quick-options.ts";
import { hrefOf, parseRoute } from "../../../web/src/state/route.ts";
import { barsOf, lanesOf, timeScale, wakeEdges } from "../../../web/src/state/charts/timeline.ts";
import { usageChart } from "../../../web/src/state/charts/usage-chart.ts";

const message = (seq: number, more: Partial<MessageView> = {}): MessageView => ({
  id: `msg_${seq}`,
  seq,
  space: "@review:main",
  from: "rita",
  onBehalfOf: null,
  to: null,
  kind: "message",
  content: `text ${seq}`,
  resource: null,
  mentions: [],
  cause: null,
  run: null,
  at: new Date(seq * 1000).toISOString(),
  ...more,
});
const pageOf = (from: number, to: number): MessageView[] =>
  Array.from({ length: to - from + 1 }, (_, at) => message(from + at));
const ends = ({ messages }: MessageWindow) => [messages[0]?.seq, messages.at(-1)?.seq, messages.length];

describe("the messages in the page [ui.scale]", () => {
  it("are never more than fit, and have no gap, in both directions", () => {
    let window: MessageWindow = { messages: pageOf(901, 1000), hasEarlier: true, hasLater: false };
    window = withEarlier(window, pageOf(861, 900), 40);
    expect(ends(window)).toEqual([861, 980, MOST_MESSAGES]);
    expect(window).toMatchObject({ hasEarlier: true, hasLater: true });
    window = withLater(window, pageOf(981, 1000), 40);
    expect(ends(window)).toEqual([881, 1000, MOST_MESSAGES]);
    expect(window).toMatchObject({ hasEarlier: true, hasLater: false });
    expect(withEarlier(window, [], 40).hasEarlier).toBe(false);
  });
});

describe("related messages [ui.related]", () => {
  it("holds what led to a message and what it led to, and nothing else", () => {
    const messages = [
      message(1),
      message(2, { cause: "msg_1" }),
      message(3),
      message(4, { cause: "msg_2" }),
      message(5, { cause: "msg_3" }),
    ];
    const shown = relatedMessages(messages, 2).map(({ message: { seq }, depth }) => [seq, depth]);
    expect(shown).toEqual([
      [1, 0],
      [2, 1],
      [4, 2],
    ]);
    expect(relatedMessages(messages, 9)).toEqual([]);
  });
});

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
const run = (id: string, agent: string, from: string, more: Partial<TimedRunView> = {}): TimedRunView =>
  ({
    id,
    agent,
    space: "@review:main",
    state: "ended",
    outcome: "answered",
    startedAt: at(10),
    endedAt: at(20),
    wokenBy: { from, message: "msg_1", seq: 1, at: at(5), run: null, excerpt: "hello" },
    steps: [{ number: 1, startedAt: at(12), finishedAt: at(20), toolMs: 3_000, tools: ["bash"] }],
    ...more,
  }) as TimedRunView;

describe("a timeline [ui.timeline]", () => {
  it("shows waiting, model, tools and parked in their order", () => {
    const twoSteps = run("run_1", "rita", "user", {
      endedAt: at(40),
      steps: [
        { number: 1, startedAt: at(12), finishedAt: at(20), toolMs: 3_000, tools: ["bash"] },
        { number: 2, startedAt: at(30), finishedAt: at(40), toolMs: null, tools: [] },
      ],
    });
    expect(barsOf(twoSteps, 0).map(({ kind, from, to }) => [kind, from / 1000, to / 1000])).toEqual([
      ["waiting", 5, 10],
      ["waiting", 10, 12],
      ["model", 12, 17],
      ["tools", 17, 20],
      ["parked", 20, 30],
      ["model", 30, 40],
    ]);
    expect(barsOf({ ...twoSteps, endedAt: null, state: "open" }, 50_000).at(-1)).toEqual({
      kind: "model",
      from: 40_000,
      to: 50_000,
    });
  });

  it("shortens the time in which nobody was at work, and keeps the order", () => {
    const scale = timeScale([
      { kind: "model", from: 0, to: 10_000 },
      { kind: "parked", from: 10_000, to: 1_000_000 },
      { kind: "model", from: 1_000_000, to: 1_010_000 },
    ]);
    const places = [0, 5_000, 10_000, 500_000, 1_000_000, 1_010_000].map(scale);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(places.at(-1)).toBeCloseTo(100);
    expect((places[4] ?? 0) - (places[2] ?? 0)).toBeLessThan(20);
  });

  it("has a lane for each agent, and counts who woke whom", () => {
    const runs = [run("run_3", "cody", "rita"), run("run_2", "cody", "rita"), run("run_1", "rita", "user")];
    expect(lanesOf(runs, 0).map(({ agent, runs: own }) => [agent, own.length])).toEqual([
      ["cody", 2],
      ["rita", 1],
    ]);
    expect(wakeEdges(runs)).toEqual([
      { from: "rita", to: "cody", count: 2 },
      { from: "user", to: "rita", count: 1 },
    ]);
  });
});

describe("a chart of the usage [ui.usage-history]", () => {
  const used = (usd: number, unknownSteps = 0): UsageView =>
    ({ tokens: { total: 10, unknownSteps: 0 }, cost: { knownUsd: usd, unknownSteps } }) as UsageView;

  it("has days without use, sums by key, and says what is unknown", () => {
    const chart = usageChart(
      [
        { day: "2026-01-01", key: "alice", usage: used(1) },
        { day: "2026-01-03", key: "alice", usage: used(2) },
        { day: "2026-01-03", key: "bob", usage: used(0.5, 4) },
      ],
      "cost",
    );
    expect(chart).toMatchObject({ keys: ["alice", "bob"], most: 2.5, unknownSteps: 4 });
    expect(chart.days).toEqual([
      { day: "2026-01-01", amounts: [1, 0] },
      { day: "2026-01-02", amounts: [0, 0] },
      { day: "2026-01-03", amounts: [2, 0.5] },
    ]);
  });

  it("joins what cannot be told apart", () => {
    const days = Array.from({ length: 20 }, (_, n) => ({ day: "2026-01-01", key: `agent-${n}`, usage: used(n) }));
    const chart = usageChart(days, "cost");
    expect(chart.keys).toHaveLength(7);
    expect(chart.keys.at(-1)).toBe("others");
    expect(chart.most).toBe(190);
  });
});

describe("the search of the page [ui.search]", () => {
  const places = {
    workspaces: [{ space: "@review:main", name: "review" }],
    agents: [{ name: "rita" }],
    commands: [{ key: "out", kind: "command", label: "Sign out" } as const],
  };

  it("offers places and commands by their names, and what was found with where it is", () => {
    expect(placeOptions("REV", places).map(({ label }) => label)).toEqual([
      "@review",
      "@review documents",
      "@review timeline",
    ]);
    expect(placeOptions("sign", places)).toMatchObject([{ kind: "command", label: "Sign out" }]);
    const found = foundOptions("text", {
      agents: [],
      workspaces: [],
      documents: [{ space: "@review:main", file: "notes.md", line: 3, text: "a text" }],
      runs: [],
      messages: [message(7)],
      next: null,
    });
    expect(found).toMatchObject([
      { kind: "document", detail: "@review notes.md" },
      { kind: "message", label: "text 7", route: { view: "channel", space: "@review:main", message: 7 } },
    ]);
  });

  it("every view has an address that leads back to it", () => {
    for (const route of [
      { view: "team", target: "@review:main" },
      { view: "team", target: undefined },
      { view: "chain", id: "run_1" },
      { view: "related", space: "@review:main", message: 4 },
      { view: "usage" },
      { view: "run", run: "run_1", step: 2 },
    ] as const) {
      expect(parseRoute(hrefOf(route))).toEqual(route);
    }
  });
});
