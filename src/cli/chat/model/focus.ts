import { currentPane, type ChatState, type Pane } from "./chat-state.ts";
import type { WaitingDecision } from "./decision.ts";

/** So long a new decision takes no answer, because the person may just be typing. */
const SEEN_AFTER_MS = 700;

/** The decisions that a pane shows: its own, and in the current pane those of spaces that have none. */
export function decisionsOf(state: ChatState, pane: Pane): readonly WaitingDecision[] {
  const open = new Set(state.panes.map(({ space }) => space));
  const isCurrent = currentPane(state) === pane;
  return state.decisions.filter(({ space }) => space === pane.space || (isCurrent && !open.has(space)));
}

/** What can be asked here: not what is left for later, and of other spaces only what was called here with Esc. */
function waitingHere(state: ChatState): readonly WaitingDecision[] {
  const pane = currentPane(state);
  if (pane === undefined) return [];
  return decisionsOf(state, pane).filter(
    ({ id, space }) => !state.later.has(id) && (space === pane.space || state.called.has(id)),
  );
}

export function focusedDecision({ decisions, focus }: ChatState): WaitingDecision | undefined {
  return focus === undefined ? undefined : decisions.find(({ id }) => id === focus.id);
}

/** Asks the first decision that waits here, until it is decided or left for later. Called after every event. */
export function settleFocus(state: ChatState): ChatState {
  const { focus, page } = state;
  const waiting = waitingHere(state);
  const isWriting = (currentPane(state)?.draft.text ?? "") !== "";
  const kept = focus !== undefined && waiting.some(({ id }) => id === focus.id) ? focus : undefined;
  const id = kept?.id ?? waiting[0]?.id;
  if (id === undefined) return focus === undefined ? state : { ...state, focus: undefined };
  const isCovered = page !== undefined && page.asks === undefined;
  const during = isCovered || (isWriting && (kept?.during ?? true));
  if (kept?.during === during) return state;
  return { ...state, focus: { id, since: kept?.since ?? state.now, during } };
}

/** Whether something was on the screen long enough to be what an answer is meant for. */
export function wasSeen(now: number, since: number): boolean {
  return now - since >= SEEN_AFTER_MS;
}

/** Leaves what is asked here for later, or comes back to what waits, also to that of other spaces. */
export function toggleLater(state: ChatState): ChatState {
  const pane = currentPane(state);
  const asked = focusedDecision(state);
  if (asked !== undefined && state.rule?.id === asked.id) return { ...state, rule: undefined };
  if (asked !== undefined) return { ...state, later: new Set([...state.later, asked.id]) };
  const ids = pane === undefined ? [] : decisionsOf(state, pane).map(({ id }) => id);
  return {
    ...state,
    later: state.later.difference(new Set(ids)),
    called: new Set([...state.called, ...ids]),
  };
}
