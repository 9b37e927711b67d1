import { useState } from "preact/hooks";
import type { DeliveryView } from "../../../../src/contract/inbox.ts";
import { reachedLimitIn } from "../../../../src/contract/text/reached-limit.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { ActionButton, Link, Name, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { RaiseLimit } from "../../parts/limits/raise-limit.tsx";
import { RichText } from "../../parts/rich-text.tsx";
import { canRaise } from "../../state/raised-limit.ts";
import { countOf } from "../../text/figures.ts";
import { limitText, withoutIds, withoutNamedIds } from "../../text/notice-text.ts";
import { visibleText } from "../../text/visible-text.ts";
import { PROJECT_FILE } from "../files/new-file.tsx";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { useDecision } from "./use-decision.ts";

/** A limit of dollars cannot be kept before somebody says what the model costs. */
function isCostUnknown(reason: string | null): boolean {
  return / cannot be kept, because the cost of its model is not known/.test(reason ?? "");
}

/** A message that could not be answered. Where a limit stopped it, the limit can be raised here. */
export function DeadLetterCard({ delivery, ...card }: CardContext & { readonly delivery: DeliveryView }) {
  const { id, agent, attempts, reason, message } = delivery;
  const { space } = message;
  const { deciding, decide } = useDecision(card.onOutcome);
  const [raising, setRaising] = useState(false);
  const limit = reachedLimitIn(reason ?? "");
  const isRaisable = limit !== undefined && canRaise(limit, space);
  // The chain of a message stays stopped. A new message begins a new one, with those who were stopped.
  const goOn = (words = limit?.of === "chain" ? `${agent} goes on.` : `${agent} gets it once more.`) =>
    limit?.of === "chain"
      ? decide("send-message", { to: space, message: "go on" }, words)
      : decide("retry-dead-letter", { id, target: space }, words);
  return (
    <DecisionCard
      label={`A message ${agent} could not answer`}
      decision={card.decision}
      actions={
        raising ? null : (
          <>
            {isRaisable ? (
              <ActionButton label="Raise the limit…" primary disabled={deciding} onClick={() => setRaising(true)} />
            ) : null}
            <ActionButton
              label={limit?.of === "chain" ? "Go on" : "Retry"}
              primary={!isRaisable}
              disabled={deciding}
              onClick={() => goOn()}
            />
            <ConfirmButton
              label="Drop"
              prominent
              disabled={deciding}
              onConfirm={() =>
                void decide(
                  "drop-dead-letter",
                  { id, target: space },
                  "It was dropped. The message stays in the channel.",
                )
              }
            />
          </>
        )
      }
    >
      <p>
        <Name name={agent} /> could not answer <Name name={message.from} /> in <SpaceLink space={space} />{" "}
        <span class="dim">
          <Timestamp at={message.at} />
          {attempts === 0 ? "" : `, ${countOf(attempts, "attempt")}`}
        </span>
      </p>
      {card.decision.again ? <p>It failed again.</p> : null}
      <p class="bad-text">{visibleText(limitText(withoutIds(reason ?? "No reason is known.")))}</p>
      {isCostUnknown(reason) ? (
        <p>
          <Link to={{ view: "files", file: PROJECT_FILE }}>Say what its model costs</Link>, then retry.
        </p>
      ) : null}
      <RichText text={withoutNamedIds(message.content)} mentions={message.mentions} />
      {raising && limit !== undefined && card.decision.outcome === undefined ? (
        <RaiseLimit
          limit={limit}
          agent={agent}
          space={space}
          onBack={() => setRaising(false)}
          onRaised={(words) => {
            setRaising(false);
            return goOn(`The limit is ${words} now. ${agent} gets it once more.`);
          }}
        />
      ) : null}
    </DecisionCard>
  );
}
