import type { Line } from "../../screen/span.ts";
import type { ChatState, Pane } from "../model/chat-state.ts";
import { currentPane } from "../model/chat-state.ts";
import type { WaitingDecision } from "../model/decision.ts";
import { decisionsOf, focusedDecision } from "../model/focus.ts";
import { focusedLines, bodyOf, ruleLines, titleLine, type FocusedLines } from "./decision-lines.ts";
import { pageHeight, pageRows } from "./page-rows.ts";
import { paneArea } from "./pane-area.ts";

export { titleLine };

/** What a decision is about: what a yes allows, or the rule that `always` writes. */
export function bodyLines({ rule }: ChatState, decision: WaitingDecision): Line[] {
  return rule?.id === decision.id ? ruleLines(rule.view) : bodyOf(decision);
}

/** The decision that is asked in a pane, as it fits; undefined in a pane that asks nothing. */
export function focusedIn(state: ChatState, pane: Pane): FocusedLines | undefined {
  const decision = focusedDecision(state);
  if (decision === undefined || currentPane(state)?.space !== pane.space) return undefined;
  const { columns, rows } = paneArea(state);
  return focusedLines(decision, bodyLines(state, decision), {
    columns,
    rows,
    elsewhere: decision.space !== pane.space,
    isRule: state.rule?.id === decision.id,
    others: decisionsOf(state, pane).length - 1,
  });
}

/** Whether all of the decision that is asked here is on the screen. */
export function isWhole(state: ChatState, pane: Pane): boolean {
  return pane.anchor === undefined && focusedIn(state, pane)?.whole === true;
}

/** Names what was read: the call, or the rule that `always` would write for it. */
export function readKey({ rule }: ChatState, { id }: WaitingDecision): string {
  return rule?.id === id ? `${id} always` : id;
}

/** Notes that a decision was read to its end on a page. */
export function noteRead(state: ChatState): ChatState {
  const { page, read } = state;
  if (page?.asks === undefined || read.has(page.asks)) return state;
  const isAtEnd = page.top + pageHeight(state) >= pageRows(page, state.size.columns).length;
  return isAtEnd ? { ...state, read: new Set([...read, page.asks]) } : state;
}
