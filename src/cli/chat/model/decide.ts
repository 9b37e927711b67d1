import { draftOf, EMPTY_DRAFT } from "./input-text.ts";
import { bodyLines, isWhole, readKey, titleLine } from "../view/focused-decision.ts";
import { currentPane, withPane, type ChatState, type ChatStep } from "./chat-state.ts";
import type { DecisionAnswer, WaitingDecision } from "./decision.ts";
import { focusedDecision, wasSeen } from "./focus.ts";

const MORE = "Not all of it was on the screen. Read on with PgDn to its end; then answer it.";

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

/**
 * Answers the decision that is asked here with what was typed. A person who has not seen it, or not all of what a yes
 * allows, is shown it first and asked once more.
 */
export function answerFocused(state: ChatState, typed: string, given: DecisionAnswer, reason?: string): ChatStep {
  const { focus, rule, now } = state;
  const pane = currentPane(state);
  const decision = focusedDecision(state);
  if (pane === undefined || focus === undefined || decision === undefined) return { state, effects: [] };
  const again = (text: string): ChatStep => {
    const shown = withPane(state, pane.space, (each) => ({ ...each, draft: draftOf(typed), anchor: undefined }));
    return { state: { ...shown, focus: { ...focus, during: false }, notice: { text, style: "warn" } }, effects: [] };
  };
  if (focus.during) return again("Press Enter again: this came while you were writing.");
  const since = rule?.id === decision.id ? rule.seenAt : focus.since;
  if (!wasSeen(now, since)) return again("Press Enter again: this came just now.");
  if (pane.anchor !== undefined) return again("Press Enter again: it was not on the screen.");
  const emptied = withPane(state, pane.space, (each) => ({ ...each, draft: EMPTY_DRAFT }));
  if (rule?.id === decision.id && given !== "yes" && given !== "no") {
    return { state: { ...emptied, notice: { text: "y writes the rule, n goes back.", style: "warn" } }, effects: [] };
  }
  if (given !== "no" && !isWhole(state, pane) && !state.read.has(readKey(state, decision))) {
    return openWhole({ ...emptied, notice: { text: MORE, style: "warn" } });
  }
  return decide(emptied, decision, given, reason);
}

/** Shows the decision that is asked here whole, on a page. */
export function openWhole(state: ChatState): ChatStep {
  const decision = focusedDecision(state);
  if (decision === undefined) return { state, effects: [] };
  const lines = [titleLine(decision, false), ...bodyLines(state, decision)];
  const page = { title: "What waits for you", lines, top: 0, asks: readKey(state, decision) };
  return { state: { ...state, page }, effects: [] };
}
