import { useLayoutEffect, useState } from "preact/hooks";
import { Empty, Link, Loading, Section } from "../parts/elements.tsx";
import { Icon } from "../parts/icon.tsx";
import { applyOutcome, applyWaiting, NO_DECISIONS, showHeld, type DecisionList } from "../state/decision-list.ts";
import { useTeam } from "../state/page-context.ts";
import type { DecisionItem, DecisionKind, WaitingDecisions } from "../state/waiting-decisions.ts";
import { spaceName } from "../text/space-name.ts";
import { CardOf } from "./decisions/card-of.tsx";
import { NewBallot } from "./decisions/new-ballot.tsx";

/**
 * The kinds of decisions that wait for a person. A new kind needs a list in `state/waiting-decisions.ts`, a card in
 * `decisions/`, a case in `CardOf`, and a row here.
 */
const KINDS: readonly { readonly kind: DecisionKind; readonly title: string }[] = [
  { kind: "approval", title: "Approvals" },
  { kind: "ballot", title: "Ballots" },
  { kind: "suggestion", title: "Suggestions" },
  { kind: "soul", title: "Souls" },
  { kind: "memory", title: "Memories" },
  { kind: "dead", title: "Dead letters" },
];

/** So many cards of each kind are shown at first. */
const CARDS = 20;

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
      ) : list.shown.length > 0 ? null : waiting !== undefined && waiting.unknown.size > 0 ? (
        <Empty>What waits is not known: the daemon does not answer. The page asks again.</Empty>
      ) : (
        <NothingWaits />
      )}
      {list === undefined
        ? null
        : KINDS.map(({ kind, title }) => {
            const shown = list.shown.filter(({ item }) => item.kind === kind);
            if (shown.length === 0) return null;
            return (
              <Section key={kind} title={title} count={shown.filter(({ outcome }) => outcome === undefined).length}>
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
          })}
    </div>
  );
}

function NothingWaits() {
  const space = useTeam(({ workspaces }) => workspaces.find(({ state }) => state === "open")?.space);
  return (
    <div class="first-message">
      <p class="first-avatars" aria-hidden="true">
        <span class="avatar calm">
          <Icon name="decisions" />
        </span>
      </p>
      <p class="title">Nothing waits for you.</p>
      <p class="dim">
        Approvals, votes, suggestions and messages that nobody could answer come here, and in the channel.
      </p>
      <p class="ideas">
        {space === undefined ? (
          <Link class="button" to={{ view: "overview" }}>
            Start a workflow
          </Link>
        ) : (
          <Link class="button" to={{ view: "channel", space }}>
            Go to {spaceName(space)}
          </Link>
        )}
      </p>
    </div>
  );
}
