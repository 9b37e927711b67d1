import type { ChatState } from "../model/chat-state.ts";

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
