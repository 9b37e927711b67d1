import type { DecisionItem, WaitingDecisions } from "./waiting-decisions.ts";

/** A decision on the screen. It keeps its place from when it is first shown until the view is left. */
export interface ShownDecision {
  readonly item: DecisionItem;
  /** What was decided. Undefined while it waits. */
  readonly outcome: DecisionOutcome | undefined;
  /** It was decided here before, and waits again. */
  readonly again: boolean;
}

export interface DecisionOutcome {
  readonly text: string;
  /** On the clock of the page. */
  readonly decidedAt: number;
}

/** The decisions of the view. Nothing is ever put before something that is shown, and nothing is taken away. */
export interface DecisionList {
  readonly shown: readonly ShownDecision[];
  /** Those that came while others were waiting on the screen. The person asks for them. */
  readonly held: readonly DecisionItem[];
}

export const NO_DECISIONS: DecisionList = { shown: [], held: [] };

/** What a card says when somebody else decided, or nobody can any more. */
function goneText({ kind }: DecisionItem): string {
  return kind === "ballot"
    ? "The vote is over."
    : "It does not wait any more: it was decided elsewhere, or its run has ended.";
}

/** Applies what the daemon returned to what is shown. */
export function applyWaiting(list: DecisionList, waiting: WaitingDecisions): DecisionList {
  const shown = list.shown.map((each) => applyTo(each, waiting));
  const isShown = (item: DecisionItem): boolean => shown.some((each) => isSame(each.item, item));
  const held = list.held.filter(({ kind }) => waiting.unknown.has(kind));
  const arrived = [...held, ...waiting.items.filter((item) => !isShown(item) && !held.some((h) => isSame(h, item)))];
  return showHeldIfNoneWaits({ shown, held: arrived });
}

/** Where nothing waits on the screen there is nothing that a click could be meant for. */
function showHeldIfNoneWaits(list: DecisionList): DecisionList {
  return list.shown.some(({ outcome }) => outcome === undefined) ? list : showHeld(list);
}

function applyTo(each: ShownDecision, { items, unknown, requestedAt }: WaitingDecisions): ShownDecision {
  const { item, outcome } = each;
  const current = items.find((other) => isSame(other, item));
  if (current === undefined) {
    const isGone = outcome === undefined && !unknown.has(item.kind);
    return isGone ? { ...each, outcome: { text: goneText(item), decidedAt: requestedAt } } : each;
  }
  if (outcome === undefined) return { ...each, item: current };
  // The daemon may have been asked before it was decided.
  return requestedAt > outcome.decidedAt ? { item: current, outcome: undefined, again: true } : each;
}

export function showHeld({ shown, held }: DecisionList): DecisionList {
  return { shown: [...shown, ...held.map(asShown)], held: [] };
}

export function applyOutcome(list: DecisionList, item: DecisionItem, outcome: DecisionOutcome): DecisionList {
  const shown = list.shown.map((each) => (isSame(each.item, item) ? { ...each, outcome } : each));
  return showHeldIfNoneWaits({ ...list, shown });
}

function asShown(item: DecisionItem): ShownDecision {
  return { item, outcome: undefined, again: false };
}

function isSame(a: DecisionItem, b: DecisionItem): boolean {
  return a.kind === b.kind && a.id === b.id;
}
