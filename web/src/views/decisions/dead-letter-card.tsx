import type { DeliveryView } from "../../../../src/contract/inbox.ts";
import { ActionButton, ConfirmButton, Name, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { RichText } from "../../parts/rich-text.tsx";
import { countOf } from "../../text/figures.ts";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { useDecision } from "./use-decision.ts";

export function DeadLetterCard({ delivery, ...card }: CardContext & { readonly delivery: DeliveryView }) {
  const { id, agent, attempts, reason, message } = delivery;
  const { deciding, decide } = useDecision(card.onOutcome);
  const input = { id, target: message.space };
  return (
    <DecisionCard
      label={`A message ${agent} could not answer`}
      decision={card.decision}
      actions={
        <>
          <ActionButton
            label="Retry"
            primary
            disabled={deciding}
            onClick={() => decide("retry-dead-letter", input, `${agent} gets it once more.`)}
          />
          <ConfirmButton
            label="Drop"
            disabled={deciding}
            onConfirm={() =>
              void decide("drop-dead-letter", input, "It was dropped. The message stays in the channel.")
            }
          />
        </>
      }
    >
      <p>
        <Name name={agent} /> could not answer <Name name={message.from} /> in <SpaceLink space={message.space} />{" "}
        <span class="dim">
          <Timestamp at={message.at} />
          {attempts === 0 ? "" : `, ${countOf(attempts, "attempt")}`}
        </span>
      </p>
      {card.decision.again ? <p>It failed again.</p> : null}
      <p class="bad-text">{visibleText(reason ?? "No reason is known.")}</p>
      <RichText text={message.content} mentions={message.mentions} />
    </DecisionCard>
  );
}
