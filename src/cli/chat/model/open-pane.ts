import { currentPane, newPane, withPane, type ChatState, type ChatStep } from "./chat-state.ts";

/** Shows the pane of a space, which is made if there is none. */
export function openPane(state: ChatState, space: string): ChatStep {
  const index = state.panes.findIndex((pane) => pane.space === space);
  if (index !== -1) return { state: read({ ...state, current: index }), effects: [] };
  const opened = { ...state, panes: [...state.panes, newPane(space)], current: state.panes.length };
  return { state: opened, effects: [{ type: "load", space }] };
}

/** What is shown counts as read. */
export function read(state: ChatState): ChatState {
  const space = currentPane(state)?.space;
  return space === undefined ? state : withPane(state, space, (pane) => ({ ...pane, unread: 0 }));
}
