import { anchorAt } from "../view/feed-layout.ts";
import { paneArea } from "../view/pane-area.ts";
import { paneFeed } from "../view/pane-feed.ts";
import { currentPane, withPane, type ChatState, type ChatStep } from "./chat-state.ts";
import { firstSeq } from "./feed.ts";

/** Begins a search in the current pane. */
export function searchFor(state: ChatState, text: string): ChatStep {
  const pane = currentPane(state);
  if (pane === undefined || text === "") return { state, effects: [] };
  return {
    state: { ...state, search: { text, found: undefined, at: 0 }, notice: undefined },
    effects: [{ type: "search", space: pane.space, text }],
  };
}

/** Goes to the earlier (1) or later (-1) place. */
export function nextFound(state: ChatState, by: 1 | -1): ChatStep {
  const { search } = state;
  if (search?.found === undefined || search.found.length === 0) return { state, effects: [] };
  const at = Math.max(0, Math.min(search.found.length - 1, search.at + by));
  return showFound({ ...state, search: { ...search, at } });
}

/** Shows the message that the search is at. Messages before it are loaded until it is there. */
export function showFound(state: ChatState): ChatStep {
  const pane = currentPane(state);
  const seq = state.search?.found?.[state.search.at];
  if (pane === undefined || seq === undefined) return { state, effects: [] };
  const first = firstSeq(pane.items);
  if (first !== undefined && seq < first && pane.earlier === "some") {
    return {
      state: withPane(state, pane.space, (each) => ({ ...each, earlier: "asked" })),
      effects: [{ type: "load-earlier", space: pane.space, before: first }],
    };
  }
  const item = pane.items.find((each) => each.kind === "message" && each.message.seq === seq);
  if (item === undefined) return { state, effects: [] };
  const { columns, rows } = paneArea(state);
  const anchor = anchorAt(paneFeed(state, pane, columns), item.key, rows);
  return { state: withPane(state, pane.space, (each) => ({ ...each, anchor })), effects: [] };
}
