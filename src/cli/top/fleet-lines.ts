import type { AgentView } from "../../contract/agents.ts";
import type { RunView, WaitingRun } from "../../contract/runs.ts";
import type { WorkspaceView } from "../../contract/workspaces.ts";
import { ALL_STOPPED } from "../output/all-stopped.ts";
import { countOf } from "../output/count-of.ts";
import { formatSpace } from "../output/format-space.ts";
import { padToWidth, textWidth } from "../screen/text-width.ts";
import { costText, tokenText } from "../output/usage-text.ts";
import { cutLine, line, nameStyle, span, type Line, type Span } from "../screen/span.ts";

/** All that works and waits in a project at one moment. */
export interface Fleet {
  readonly agents: readonly AgentView[];
  readonly workspaces: readonly WorkspaceView[];
  readonly runs: readonly RunView[];
  readonly waits: readonly WaitingRun[];
  /** How many tool calls wait for the person. */
  readonly approvals: number;
  readonly dead: number;
  /** Everything was stopped with `stop --all`: nobody begins anything. */
  readonly stopped: boolean;
  readonly now: number;
  /** The daemon is gone: this is what it said last. */
  readonly lost: boolean;
}

/** Those at work first, then those that wait, then everybody else. */
const ORDER: readonly AgentView["state"][] = ["running", "waiting", "parked", "stopped", "rests", "idle"];
const STYLES: Readonly<Record<AgentView["state"], Span["style"]>> = {
  running: "good",
  waiting: "warn",
  parked: "warn",
  stopped: "bad",
  rests: "bad",
  idle: "dim",
};
const HEADINGS = ["AGENT", "STATE", "SECONDS", "STEPS", "TOKENS", "COST", "INBOX", "IN", "WORKS ON"];

export function fleetLines(fleet: Fleet, columns: number): Line[] {
  const { workspaces, waits, approvals, dead, lost, stopped } = fleet;
  const agents = fleet.agents.map((each) =>
    stopped && each.state !== "rests" ? { ...each, state: "stopped" as const } : each,
  );
  const count = (state: AgentView["state"]): number => agents.filter((each) => each.state === state).length;
  const counts = [
    countOf(agents.length, "agent"),
    `${count("running")} at work`,
    countOf(workspaces.length, "workspace"),
    ...(approvals === 0 ? [] : [`${countOf(approvals, "tool call")} to decide`]),
    ...(dead === 0 ? [] : [countOf(dead, "dead letter")]),
  ].join(" · ");
  const rows = agents
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
    .map((agent) => agentRow(fleet, agent));
  const widths = HEADINGS.map((heading, at) =>
    Math.max(textWidth(heading), ...rows.map((row) => textWidth(row[at]?.text ?? ""))),
  );
  const tableLine = (cells: readonly Span[]): Line =>
    cells.map(({ text, style }, at) => ({
      text: at === cells.length - 1 ? text : `${padToWidth(text, widths[at] ?? 0)}  `,
      style,
    }));
  return [
    line(span(counts, "bold"), lost ? span("  The daemon is gone; this is what it said last.", "bad") : ""),
    ...(stopped ? [line(span(ALL_STOPPED.trim(), "bad"))] : []),
    [],
    tableLine(HEADINGS.map((text) => span(text, "dim"))),
    ...rows.map(tableLine),
    ...(waits.length === 0 ? [] : [[], ...waits.flatMap(waitLines)]),
  ].map((each) => cutLine(each, columns));
}

function agentRow({ runs, now }: Fleet, agent: AgentView): Span[] {
  const { name, state, work, open } = agent;
  const run = runs.find(({ id }) => id === work?.run);
  const inbox = Object.values(open).reduce((sum, each) => sum + (each ?? 0), 0);
  return [
    span(name, nameStyle(name)),
    span(state, STYLES[state]),
    span(work === null ? "" : String(Math.max(0, Math.round((now - Date.parse(work.since)) / 1000)))),
    span(run === undefined ? "" : String(run.usage.steps)),
    span(run === undefined || run.usage.tokens.total === 0 ? "" : tokenText(run.usage.tokens.total)),
    span(run === undefined || run.usage.steps === 0 ? "" : costText(run.usage.cost)),
    span(inbox === 0 ? "" : String(inbox)),
    span(work === null ? "" : formatSpace(work.space)),
    span((work?.message ?? "").replace(/\s+/g, " ").trim()),
  ];
}

function waitLines({ agent, space, reason, next }: WaitingRun): Line[] {
  const where = space.startsWith("@") ? ` in ${formatSpace(space)}` : "";
  return [line(span(agent, nameStyle(agent)), `${where} waits: ${reason}`), line(span(`  ${next}`, "dim"))];
}
