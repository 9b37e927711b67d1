import { useState } from "preact/hooks";
import type { MemoryChangeView } from "../../../../src/contract/personal/memory-changes.ts";
import { ActionButton, Link, Name, Timestamp, UntrustedBadge } from "../../parts/elements.tsx";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { useDecision } from "./use-decision.ts";

/** Two memories of an agent that contradict each other. The one that is not true goes to the archive. */
export function MemoryCard({ question, ...card }: CardContext & { readonly question: MemoryChangeView }) {
  const { id, agent, entries, at } = question;
  const { deciding, decide } = useDecision(card.onOutcome);
  const [answered, setAnswered] = useState(false);
  const answer = async (keep: { readonly keep?: string }, done: string): Promise<void> => {
    if (await decide("answer-memory-question", { id, ...keep }, done)) setAnswered(true);
  };
  return (
    <DecisionCard
      label={`Two memories of ${agent}`}
      decision={card.decision}
      undo={
        answered ? (
          <ActionButton
            label="Undo"
            disabled={deciding}
            onClick={async () => {
              if (await decide("undo-memory-change", { id }, "Both memories are as they were.")) setAnswered(false);
            }}
          />
        ) : null
      }
      actions={
        <>
          {entries.map(({ key }, index) => (
            <ActionButton
              key={key}
              label={`Keep ${index === 0 ? "the first" : "the second"}`}
              disabled={deciding}
              onClick={() => answer({ keep: key }, `${visibleText(key)} stays.`)}
            />
          ))}
          <ActionButton label="Both are true" disabled={deciding} onClick={() => answer({}, "Both stay.")} />
        </>
      }
    >
      <p>
        <Link to={{ view: "agent", agent }}>
          <Name name={agent} />
        </Link>{" "}
        remembers two things that contradict each other{" "}
        <span class="dim">
          <Timestamp at={at} />
        </span>
      </p>
      <ol>
        {entries.map(({ key, text, outside }) => (
          <li key={key}>
            <strong>{visibleText(key)}</strong>: {visibleText(text)} {outside ? <UntrustedBadge /> : null}
          </li>
        ))}
      </ol>
    </DecisionCard>
  );
}
