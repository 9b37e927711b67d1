import { decisionsOf } from "../view/pane-feed.ts";
import { currentPane, type ChatState, type ChatStep } from "./chat-state.ts";
import { alwaysKey, type DecisionAnswer, type WaitingDecision } from "./decision.ts";

/** Answers a decision. It is gone from the screen at once; the daemon's next list says whether it is. */
export function decide(state: ChatState, decision: WaitingDecision, answer: DecisionAnswer, reason?: string): ChatStep {
  const always =
    answer === "always" && decision.kind === "approval"
      ? new Set([...state.always, alwaysKey(decision.view)])
      : state.always;
  return {
    state: { ...state, always, decisions: state.decisions.filter(({ id }) => id !== decision.id) },
    effects: [{ type: "decide", decision, answer, ...(reason === undefined ? {} : { reason }) }],
  };
}

/** Leaves what waits here for later, or comes back to it. */
export function toggleLater(state: ChatState): ChatState {
  const pane = currentPane(state);
  const here = pane === undefined ? [] : decisionsOf(state, pane);
  const [first] = here.filter(({ id }) => !state.later.has(id));
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
