import { span, type Line } from "../../screen/span.ts";
import { wrapLine } from "../../screen/wrap-line.ts";
import { currentPane, type ChatState, type Pane } from "../model/chat-state.ts";
import { decisionsOf } from "../model/focus.ts";
import { foldedLines } from "./decision-lines.ts";
import { finishedText, isFinished } from "../model/finished.ts";
import type { FeedLines } from "./feed-layout.ts";
import { problemLines } from "./problem-lines.ts";
import { focusedIn } from "./focused-decision.ts";
import { liveLines, type FeedLayout } from "./item-lines.ts";

export function paneFeed(state: ChatState, pane: Pane, columns: number): FeedLines {
  const layout = layoutOf(state, columns);
  const asked = focusedIn(state, pane);
  const folded = decisionsOf(state, pane).filter(({ id }) => asked === undefined || id !== state.focus?.id);
  // What is asked is the last, so that the end of the pane shows it.
  const tail: Line[] = [
    ...pane.live.flatMap((run) => liveLines(run, layout)),
    ...(isFinished(state, pane.space) ? wrapLine([span(finishedText(state, pane.space), "warn")], columns) : []),
    ...(currentPane(state) === pane ? problemLines(state.problems, columns) : []),
    ...foldedLines(folded, pane.space, columns),
    ...(asked === undefined ? [] : [[], ...asked.lines]),
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
