import { useState } from "preact/hooks";
import type { BallotView } from "../../../../src/contract/ballots.ts";
import { Badge, Name, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { useQuery } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, GuardedActions, type CardContext } from "./decision-card.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

/** One that does not wait any more is shown with the votes that it ended with, and not with those that were last seen. */
export function BallotCard({ ballot, ...card }: CardContext & { readonly ballot: BallotView }) {
  const { id } = ballot;
  const isOver = card.decision.outcome !== undefined;
  const shown = useQuery(
    `ballot ${id} ${isOver}`,
    async (daemon) => (isOver ? daemon.call("show-ballot", { id }) : undefined),
    ["ballots"],
  );
  return <BallotForm ballot={shown?.ok === true ? shown.value : ballot} {...card} />;
}

function BallotForm({ ballot, ...card }: CardContext & { readonly ballot: BallotView }) {
  const { id, space, title, creator, type, resolution, voters, missing, votes, options, binding, expiresAt } = ballot;
  const [reason, setReason] = useState("");
  // Until the ballot is decided the vote can be changed: it is no outcome.
  const { deciding, decide } = useDecision();
  const mayVote = voters.includes("user") && card.decision.outcome === undefined;
  const mine = votes.find(({ voter }) => voter === "user")?.option;
  const vote = async (option: string, label: string): Promise<void> => {
    const input = { id, target: space, option, ...withReason(reason) };
    const voted = await decide("cast-vote", input, `You voted for ${label}.`);
    // The list of what waits comes later: until then a click would be a vote in a closed ballot.
    if (voted !== undefined && voted.state !== "open") card.onOutcome("The vote is over.");
  };
  return (
    <DecisionCard
      label={title}
      decision={card.decision}
      actions={mayVote ? <ReasonField label="Reason for your vote" value={reason} onChange={setReason} /> : null}
    >
      <p>
        <strong>{visibleText(title)}</strong> <Badge>{type}</Badge>{" "}
        {binding ? <Badge kind="warn">binding</Badge> : null}
      </p>
      <p class="dim">
        <Name name={creator} /> {creator === "user" ? "ask" : "asks"} in <SpaceLink space={space} />;{" "}
        {RESOLUTIONS[resolution]}
        {ballot.state === "open" ? (
          <>
            ; open until <Timestamp at={expiresAt} />
          </>
        ) : null}
      </p>
      <GuardedActions class="votes">
        <ul class="options">
          {options.map((option) => (
            <li key={option.id}>
              {mayVote ? (
                <button
                  type="button"
                  class={mine === option.id ? "button primary" : "button"}
                  aria-pressed={mine === option.id}
                  disabled={deciding}
                  onClick={() => void vote(option.id, option.label)}
                >
                  {visibleText(option.label)}
                </button>
              ) : (
                <span>{visibleText(option.label)}</span>
              )}
              <meter
                min={0}
                max={Math.max(1, voters.length)}
                value={option.votes}
                aria-label={`Votes for ${option.label}`}
              />
              <span class="dim">{option.votes}</span>
              {binding && option.follows !== null ? <span class="dim">then {visibleText(option.follows)}</span> : null}
            </li>
          ))}
        </ul>
      </GuardedActions>
      {votes.length === 0 ? null : (
        <ul class="plain-list">
          {votes.map(({ voter, option, reason: why }) => (
            <li key={voter}>
              <Name name={voter} />: {visibleText(options.find((each) => each.id === option)?.label ?? option)}
              {why === null ? null : <span class="dim"> {visibleText(why)}</span>}
            </li>
          ))}
        </ul>
      )}
      <p class="dim">
        {missing.length === 0
          ? "Everybody has voted."
          : `${ballot.state === "open" ? "Not yet" : "Did not vote"}: ${missing.map((voter) => (voter === "user" ? "you" : voter)).join(", ")}.`}
        {voters.includes("user") ? "" : " You were not asked to vote."}
      </p>
      {card.decision.outcome === undefined || ballot.state === "open" ? null : <BallotOutcome ballot={ballot} />}
    </DecisionCard>
  );
}

/** How a ballot ended that does not wait any more. */
function BallotOutcome({ ballot }: { readonly ballot: BallotView }) {
  const { state, winner, options, reason, effect } = ballot;
  const chosen = options.find((option) => option.id === winner)?.label ?? "no winner";
  const done = effect === null ? null : (effect.refused ?? options.find((option) => option.id === winner)?.follows);
  return (
    <p role="status">
      <Badge>{state}</Badge> {visibleText(reason ?? chosen)}
      {done == null ? null : <span class="dim"> {visibleText(done)}</span>}
    </p>
  );
}

/** How a ballot is decided, in words. */
const RESOLUTIONS = {
  plurality: "most votes win",
  majority: "more than half must agree",
  unanimous: "all must agree",
} as const;
