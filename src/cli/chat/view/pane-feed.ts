import { span, type Line } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import { currentPane, type ChatState, type Pane } from "../model/chat-state.ts";
import type { WaitingDecision } from "../model/decision.ts";
import { decisionLines } from "./decision-lines.ts";
import { finishedText, isFinished } from "../model/finished.ts";
import type { FeedLines } from "./feed-layout.ts";
import { liveLines, type FeedLayout } from "./item-lines.ts";

/** The rows around the panes: one above, and below a status, the input and the keys. */
const OTHER_ROWS = 3;
const MOST_INPUT_ROWS = 6;
const NARROWEST_PANE = 38;

/** How the screen is divided. */
export interface PaneArea {
  /** Indexes of the panes that are shown, from left to right. */
  readonly shown: readonly number[];
  /** Columns of each. */
  readonly columns: number;
  readonly rows: number;
  readonly inputRows: number;
}

export function paneArea({ panes, current, together, size }: ChatState): PaneArea {
  const fitting = together ? Math.max(1, Math.floor((size.columns + 1) / (NARROWEST_PANE + 1))) : 1;
  const count = Math.max(1, Math.min(panes.length, fitting));
  const first = Math.max(0, Math.min(current, panes.length - count));
  const shown = panes.length === 0 ? [] : Array.from({ length: count }, (_, at) => first + at);
  const draft = panes[current]?.draft.text ?? "";
  const inputRows = Math.min(MOST_INPUT_ROWS, draft.split("\n").length);
  return {
    shown,
    columns: Math.floor((size.columns - (count - 1)) / count),
    rows: Math.max(1, size.rows - OTHER_ROWS - inputRows),
    inputRows,
  };
}

/** The decisions that a pane shows: its own, and in the current pane those of spaces that have none. */
export function decisionsOf(state: ChatState, pane: Pane): readonly (WaitingDecision & { readonly seenAt: number })[] {
  const open = new Set(state.panes.map(({ space }) => space));
  const isCurrent = currentPane(state) === pane;
  return state.decisions.filter(({ space }) => space === pane.space || (isCurrent && !open.has(space)));
}

/** So long a new decision takes no keys, because the person may just be typing. */
const SEEN_AFTER_MS = 700;

/** The decisions of the current pane, without those that are left for later. */
export function waitingHere(state: ChatState): readonly (WaitingDecision & { readonly seenAt: number })[] {
  const pane = currentPane(state);
  return pane === undefined ? [] : decisionsOf(state, pane).filter(({ id }) => !state.later.has(id));
}

/** The decision that keys decide now; undefined while something is being written. */
export function activeDecision(state: ChatState): WaitingDecision | undefined {
  const pane = currentPane(state);
  if (pane === undefined || pane.draft.text !== "" || state.page !== undefined || state.asksSearch) return undefined;
  const [first] = waitingHere(state);
  return first === undefined || !wasSeen(state, first) ? undefined : first;
}

/** Whether something was on the screen long enough to be what a key is meant for. */
export function wasSeen({ now }: ChatState, { seenAt }: { readonly seenAt: number }): boolean {
  return now - seenAt >= SEEN_AFTER_MS;
}

export function paneFeed(state: ChatState, pane: Pane, columns: number): FeedLines {
  const layout = layoutOf(state, columns);
  const active = activeDecision(state);
  const tail: Line[] = [
    ...pane.live.flatMap((run) => liveLines(run, layout)),
    ...decisionsOf(state, pane).flatMap((each) =>
      decisionLines(each, {
        columns,
        keys: each.id === active?.id ? "pressed" : "later",
        elsewhere: each.space !== pane.space,
        ...(state.rule?.id === each.id ? { rule: state.rule.view } : {}),
      }),
    ),
    ...(isFinished(state, pane.space) ? wrapLine([span(finishedText(state, pane.space), "warn")], columns) : []),
  ];
  return { items: pane.items, tail, layout };
}

/** Returns the same value for the same layout, because lines are stored by it. */
function layoutOf({ unfolded, search, agents, workspaces }: ChatState, columns: number): FeedLayout {
  const find = search?.text;
  const last = layouts.get(columns);
  if (
    last?.agents === agents &&
    last.workspaces === workspaces &&
    last.layout.unfolded === unfolded &&
    last.layout.find === find
  )
    return last.layout;
  const names = new Set([
    ...agents.map(({ name }) => name.split("@")[0] ?? name),
    ...workspaces.flatMap(({ participants }) => participants),
    "user",
  ]);
  const layout =
    last?.layout.unfolded === unfolded && last.layout.find === find && sameNames(last.layout.names, names)
      ? last.layout
      : { columns, unfolded, names, find };
  layouts.set(columns, { agents, workspaces, layout });
  return layout;
}

const layouts = new Map<
  number,
  { readonly agents: unknown; readonly workspaces: unknown; readonly layout: FeedLayout }
>();

function sameNames(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}
