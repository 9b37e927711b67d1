import { decisionsOf } from "../view/pane-feed.ts";
import { currentPane, type ChatState, type ChatStep } from "./chat-state.ts";
import type { DecisionAnswer, WaitingDecision } from "./decision.ts";

/**
 * Answers a decision. It is gone from the screen at once; the daemon's next list says whether it is. `always` writes a
 * rule into a file: what it writes is shown first, and then answered with yes.
 */
export function decide(state: ChatState, decision: WaitingDecision, given: DecisionAnswer, reason?: string): ChatStep {
  const isShown = state.rule?.id === decision.id;
  if (given === "always" && !isShown) return { state, effects: [{ type: "preview-rule", decision }] };
  if (given === "no" && isShown) return { state: { ...state, rule: undefined }, effects: [] };
  const answer = given === "yes" && isShown ? "always" : given;
  return {
    state: { ...state, rule: undefined, decisions: state.decisions.filter(({ id }) => id !== decision.id) },
    effects: [{ type: "decide", decision, answer, ...(reason === undefined ? {} : { reason }) }],
  };
}

/** Leaves what waits here for later, or comes back to it. */
export function toggleLater(state: ChatState): ChatState {
  const pane = currentPane(state);
  const here = pane === undefined ? [] : decisionsOf(state, pane);
  const [first] = here.filter(({ id }) => !state.later.has(id));
  if (first !== undefined && state.rule?.id === first.id) return { ...state, rule: undefined };
  if (first !== undefined) return { ...state, later: new Set([...state.later, first.id]) };
  const ids = new Set(here.map(({ id }) => id));
  return { ...state, later: new Set([...state.later].filter((id) => !ids.has(id))) };
}

/** The decision with an id or the beginning of one, or without an id the first that waits here. */
export function findDecision(
  state: ChatState,
  id: string | undefined,
  kinds: readonly WaitingDecision["kind"][],
): WaitingDecision | undefined {
  const pane = currentPane(state);
  const here = pane === undefined ? [] : decisionsOf(state, pane);
  const [first] = here.filter(({ kind }) => kinds.includes(kind));
  if (id === undefined) return first;
  return state.decisions.find((each) => each.id === id && kinds.includes(each.kind));
}
