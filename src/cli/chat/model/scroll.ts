import { feedWindow, moveAnchor, showsFirst } from "../view/feed-layout.ts";
import { paneArea } from "../view/pane-area.ts";
import { paneFeed } from "../view/pane-feed.ts";
import { currentPane, withPane, type ChatState, type ChatStep, type FeedAnchor } from "./chat-state.ts";
import { firstSeq } from "./feed.ts";

/** Scrolls the current pane by lines, up when negative. At its beginning, earlier messages are asked for. */
export function scroll(state: ChatState, by: number): ChatStep {
  const pane = currentPane(state);
  if (pane === undefined) return { state, effects: [] };
  const { columns, rows } = paneArea(state);
  const feed = paneFeed(state, pane, columns);
  const isShort = feedWindow(feed, undefined, rows).length < rows;
  return anchored(state, isShort ? undefined : moveAnchor(feed, pane.anchor, by, rows));
}

export function scrollPage(state: ChatState, direction: 1 | -1): ChatStep {
  return scroll(state, direction * Math.max(1, paneArea(state).rows - 2));
}

/** The beginning of what is loaded, or the end. */
export function scrollToEdge(state: ChatState, edge: "start" | "end"): ChatStep {
  const pane = currentPane(state);
  if (edge === "end" || pane === undefined) return anchored(state, undefined);
  const { columns, rows } = paneArea(state);
  const [first] = pane.items;
  if (first === undefined) return { state, effects: [] };
  return anchored(state, moveAnchor(paneFeed(state, pane, columns), { key: first.key, line: 0 }, 0, rows));
}

function anchored(state: ChatState, anchor: FeedAnchor | undefined): ChatStep {
  const pane = currentPane(state);
  if (pane === undefined) return { state, effects: [] };
  const next = withPane(state, pane.space, (each) => ({ ...each, anchor }));
  const { columns, rows } = paneArea(next);
  const first = firstSeq(pane.items);
  const asks =
    first !== undefined && pane.earlier === "some" && showsFirst(paneFeed(next, pane, columns), anchor, rows);
  if (!asks) return { state: next, effects: [] };
  return {
    state: withPane(next, pane.space, (each) => ({ ...each, earlier: "asked" })),
    effects: [{ type: "load-earlier", space: pane.space, before: first }],
  };
}
