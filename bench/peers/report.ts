import { format, median } from "../bench.ts";
import { AGENT_WORKER, STREAMING } from "./peers.ts";
import { SCENARIOS, type PeerResult, type Scenario } from "./results.ts";

/** What is printed: a table for people, the same for the README, and the goals. */
export interface Goal {
  readonly scenario: Scenario;
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly met: boolean;
}

const COLUMNS = ["", "durable", "a step, ms", "a hop, ms", "100 runs, s", "CPU a step, ms", "memory, MB"];
const MORE = ["idle, 1,000 agents, MB", "cold start, ms", "kill -9 in step 5", "request, bytes"];

export function rowsOf(results: readonly PeerResult[]): readonly (readonly string[])[] {
  return [[...COLUMNS, ...MORE], ...results.map(rowOf)];
}

/** The medians alone, for a page. */
export function briefRowsOf(results: readonly PeerResult[]): readonly (readonly string[])[] {
  const head = [
    "",
    "stored",
    "step, ms",
    "hop, ms",
    "100 runs, s",
    "CPU a step, ms",
    "memory, MB",
    "idle, MB",
    "kill -9",
  ];
  return [
    head,
    ...results.map((result) => {
      const [label = "", stored = "", ...cells] = rowOf(result);
      const brief = cells.slice(0, 6).map((cell) => cell.replace(/ \(.*$/, "").replace(/^failed.*$/, "failed"));
      return [label, stored, ...brief, (cells[7] ?? "").replace(/[,(:].*$/, "").trim()];
    }),
  ];
}

function rowOf(result: PeerResult): string[] {
  const { many, requestBytes, kill } = result;
  const cell = (letter: Scenario, values: readonly number[], digits = 3): string =>
    values.length > 0 ? spread(values, digits) : failed(result, letter);
  const durable = result.flushed ? "flushed" : result.durable ? "not flushed" : "no";
  const last = kill.at(-1);
  const times = last === undefined ? "" : `${last.outcome}, ${last.repeated} repeated`;
  return [
    result.label,
    durable,
    cell("a", result.stepMs),
    cell("b", result.hopMs),
    cell(
      "c",
      many.map(({ seconds }) => seconds),
    ),
    cell(
      "c",
      many.map(({ cpuMsPerStep }) => cpuMsPerStep),
    ),
    cell(
      "c",
      many.map(({ mb }) => mb),
    ),
    cell("d", result.idleMb),
    cell("e", result.coldMs),
    last === undefined ? failed(result, "f") : last.outcome === "lost" ? "lost" : times,
    requestBytes === undefined ? "-" : `${requestBytes.first} to ${requestBytes.last}`,
  ];
}

function failed({ failures }: PeerResult, letter: Scenario): string {
  const reason = failures[letter] ?? failures["*"];
  return reason === undefined ? "-" : `failed: ${reason.split("\n")[0]?.slice(0, 80)}`;
}

function spread(values: readonly number[], digits: number): string {
  const short = (value: number): string => (value >= 1_000 ? format(value) : value.toPrecision(digits));
  const middle = short(median(values));
  return values.length === 1 ? middle : `${middle} (${short(Math.min(...values))} to ${short(Math.max(...values))})`;
}

export function goalsOf(results: readonly PeerResult[]): readonly Goal[] {
  const own = results.find(({ name }) => name === AGENT_WORKER);
  if (own === undefined) return [];
  const goals: Goal[] = [];
  const add = (scenario: Scenario, what: string, value: number, limit: number, below = false): void => {
    if (Number.isFinite(value) && Number.isFinite(limit))
      goals.push({ scenario, what, value, limit, met: below ? value < limit : value <= limit });
  };
  const named = (name: string): PeerResult | undefined => results.find((each) => each.name === name);
  const stepOf = (result: PeerResult | undefined): number => median(result?.stepMs ?? []);
  const hopOf = (result: PeerResult | undefined): number => median(result?.hopMs ?? []);
  const secondsOf = (result: PeerResult | undefined): number =>
    median((result?.many ?? []).map((each) => each.seconds));
  const mbOf = (result: PeerResult): number => median(result.many.map(({ mb }) => mb));
  // Round by round: noise hits both.
  const bare = named(STREAMING)?.stepMs ?? [];
  add(
    "a",
    "times the bare AI SDK streaming the same request",
    median(own.stepMs.map((ms, i) => ms / (bare[i] ?? NaN))),
    1.6,
  );
  add("a", "ms a step, below LangGraph", stepOf(own), stepOf(named("langgraph")), true);
  add("a", "ms a step, below DBOS", stepOf(own), stepOf(named("dbos")), true);
  add("b", "ms a hop", hopOf(own), 8);
  add("b", "ms a hop, below LangGraph", hopOf(own), hopOf(named("langgraph")), true);
  add("c", "s for 100 runs", secondsOf(own), 1.6);
  add("c", "MB", mbOf(own), 500);
  add("c", "s, below DBOS", secondsOf(own), secondsOf(named("dbos")), true);
  add("c", "s, below LangGraph", secondsOf(own), secondsOf(named("langgraph")), true);
  add("g", "errors in 1,000 runs", Math.max(...own.crowd.map(({ errors }) => errors)), 0);
  add("g", "MB", median(own.crowd.map(({ mb }) => mb)), 1_500);
  return goals;
}

export function textTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows;
  // One block a peer: eleven columns do not fit on a terminal.
  return rest
    .map(([label, ...cells]) =>
      [label, ...cells.map((cell, i) => `  ${(head[i + 1] ?? "").padEnd(24)} ${cell}`)].join("\n"),
    )
    .join("\n");
}

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "/")).join(" | ")} |`.replace(/^\|  \|/, "| |");
  const [head = [], ...rest] = rows;
  return [line(head), line(head.map(() => "---")), ...rest.map(line)].join("\n");
}

export function goalLine({ scenario, what, value, limit, met }: Goal): string {
  return `  ${scenario}: ${format(value)} ${what}, goal ${format(limit)}: ${met ? "met" : "MISSED"}`;
}

export function crowdLine({ crowd }: PeerResult): string | undefined {
  if (crowd.length === 0) return undefined;
  const [s, mb] = [median(crowd.map(({ seconds }) => seconds)), median(crowd.map((each) => each.mb))];
  const errors = Math.max(...crowd.map((each) => each.errors));
  return `${SCENARIOS.g}: ${format(s)} s, ${format(mb)} MB, ${errors} errors`;
}
