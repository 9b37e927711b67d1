import { useLayoutEffect, useState } from "preact/hooks";
import { Empty, Loading, Section } from "../parts/elements.tsx";
import { applyOutcome, applyWaiting, NO_DECISIONS, showHeld, type DecisionList } from "../state/decision-list.ts";
import type { DecisionItem, DecisionKind, WaitingDecisions } from "../state/waiting-decisions.ts";
import { CardOf } from "./decisions/card-of.tsx";
import { NewBallot } from "./decisions/new-ballot.tsx";

/**
 * The kinds of decisions that wait for a person. A new kind needs a list in `state/waiting-decisions.ts`, a card in
 * `decisions/`, a case in `CardOf`, and a row here.
 */
const KINDS: readonly { readonly kind: DecisionKind; readonly title: string; readonly none: string }[] = [
  { kind: "approval", title: "Approvals", none: "No tool call waits for you." },
  { kind: "ballot", title: "Ballots", none: "Nothing is being voted on." },
  { kind: "suggestion", title: "Suggestions", none: "Nobody suggests a change." },
  { kind: "soul", title: "Souls", none: "No agent is about to change." },
  { kind: "memory", title: "Memories", none: "No memories contradict each other." },
  { kind: "dead", title: "Dead letters", none: "Everything could be delivered." },
];

/** So many cards of each kind are shown at first. */
const CARDS = 20;

const HELD = "Something came meanwhile. Show it with the button above.";

/** Cards are added at the end only, and stay until the view is left: a click must meet what the person saw. */
export function Decisions({ waiting }: { readonly waiting: WaitingDecisions | undefined }) {
  const [list, setList] = useState<DecisionList | undefined>(() => waiting && applyWaiting(NO_DECISIONS, waiting));
  useLayoutEffect(() => {
    if (waiting !== undefined) setList((current = NO_DECISIONS) => applyWaiting(current, waiting));
  }, [waiting]);
  const [most, setMost] = useState(CARDS);
  const change = (changed: (current: DecisionList) => DecisionList): void =>
    setList((current) => current && changed(current));
  const onOutcome = (item: DecisionItem, text: string): void =>
    change((current) => applyOutcome(current, item, { text, decidedAt: performance.now() }));
  return (
    <div class="view decisions">
      <header class="view-header">
        <h1>Decisions</h1>
        <span role="status">
          {list === undefined || list.held.length === 0 ? null : (
            <button type="button" class="button primary new-decisions" onClick={() => change(showHeld)}>
              {list.held.length} new
            </button>
          )}
        </span>
      </header>
      <NewBallot />
      {list === undefined ? (
        <Loading />
      ) : (
        KINDS.map(({ kind, title, none }) => {
          const shown = list.shown.filter(({ item }) => item.kind === kind);
          return (
            <Section key={kind} title={title} count={shown.filter(({ outcome }) => outcome === undefined).length}>
              {shown.length > 0 ? null : <Empty>{list.held.some((item) => item.kind === kind) ? HELD : none}</Empty>}
              {shown.slice(0, most).map((each) => (
                <CardOf key={each.item.id} decision={each} onOutcome={(text) => onOutcome(each.item, text)} />
              ))}
              {shown.length <= most ? null : (
                <button type="button" class="button" onClick={() => setMost(most + CARDS)}>
                  Show {Math.min(CARDS, shown.length - most)} of {shown.length - most} more
                </button>
              )}
            </Section>
          );
        })
      )}
    </div>
  );
}
