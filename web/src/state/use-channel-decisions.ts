import { useLayoutEffect, useState } from "preact/hooks";
import { applyWaitingIn } from "./channel-decisions.ts";
import { applyOutcome, NO_DECISIONS, type DecisionList } from "./decision-list.ts";
import type { DecisionItem, WaitingDecisions } from "./waiting-decisions.ts";

/** The decisions of a space while its channel is shown: what was decided keeps its place. */
export function useChannelDecisions(waiting: WaitingDecisions | undefined, space: string) {
  const [list, setList] = useState<DecisionList>(() => begin(waiting, space));
  useLayoutEffect(() => {
    if (waiting !== undefined) setList((current) => applyWaitingIn(current, waiting, space));
  }, [waiting, space]);
  const onOutcome = (item: DecisionItem, text: string): void =>
    setList((current) => applyOutcome(current, item, { text, decidedAt: performance.now() }));
  return { decisions: list.shown, onOutcome };
}

function begin(waiting: WaitingDecisions | undefined, space: string): DecisionList {
  return waiting === undefined ? NO_DECISIONS : applyWaitingIn(NO_DECISIONS, waiting, space);
}
