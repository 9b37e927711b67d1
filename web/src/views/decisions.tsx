import type { ComponentChildren } from "preact";
import { Empty, Loading, Section } from "../parts/elements.tsx";
import type { WaitingDecisions } from "../state/waiting-decisions.ts";
import { ApprovalCard } from "./decisions/approval-card.tsx";
import { BallotCard } from "./decisions/ballot-card.tsx";
import { DeadLetterCard } from "./decisions/dead-letter-card.tsx";
import { SoulCard } from "./decisions/soul-card.tsx";
import { SuggestionCard } from "./decisions/suggestion-card.tsx";

/**
 * The kinds of decisions that wait for a person. A new kind needs a list in `state/waiting-decisions.ts`, a card in
 * `decisions/`, and a row here.
 */
const KINDS: readonly {
  readonly title: string;
  readonly none: string;
  readonly cards: (waiting: WaitingDecisions) => readonly ComponentChildren[];
}[] = [
  {
    title: "Approvals",
    none: "No tool call waits for you.",
    cards: ({ approvals }) => approvals.map((each) => <ApprovalCard key={each.id} approval={each} />),
  },
  {
    title: "Ballots",
    none: "Nothing is being voted on.",
    cards: ({ ballots }) => ballots.map((each) => <BallotCard key={each.id} ballot={each} />),
  },
  {
    title: "Suggestions",
    none: "Nobody suggests a change.",
    cards: ({ suggestions }) => suggestions.map((each) => <SuggestionCard key={each.id} suggestion={each} />),
  },
  {
    title: "Souls",
    none: "No agent is about to change.",
    cards: ({ souls }) => souls.map((each) => <SoulCard key={each.id} proposal={each} />),
  },
  {
    title: "Dead letters",
    none: "Everything could be delivered.",
    cards: ({ dead }) => dead.map((each) => <DeadLetterCard key={each.id} delivery={each} />),
  },
];

export function Decisions({ waiting }: { readonly waiting: WaitingDecisions | undefined }) {
  return (
    <div class="view">
      <header class="view-header">
        <h1>Decisions</h1>
      </header>
      {waiting === undefined ? (
        <Loading />
      ) : (
        KINDS.map(({ title, none, cards }) => {
          const shown = cards(waiting);
          return (
            <Section key={title} title={title} count={shown.length}>
              {shown.length === 0 ? <Empty>{none}</Empty> : shown}
            </Section>
          );
        })
      )}
    </div>
  );
}
