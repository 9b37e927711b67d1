import { useState } from "preact/hooks";
import type { SuggestionView } from "../../../../src/contract/documents.ts";
import { ActionButton, Link, Name, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { PlainText } from "../../parts/rich-text.tsx";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

export function SuggestionCard({ suggestion, ...card }: CardContext & { readonly suggestion: SuggestionView }) {
  const { id, space, file, way, content, note, author, at } = suggestion;
  const [reason, setReason] = useState("");
  const { deciding, decide } = useDecision(card.onOutcome);
  return (
    <DecisionCard
      label={`${author} suggests a change of ${file}`}
      decision={card.decision}
      actions={
        <>
          <ActionButton
            label="Accept"
            primary
            disabled={deciding}
            onClick={() => decide("accept-suggestion", { id, target: space }, `${file} was changed.`)}
          />
          <ActionButton
            label="Reject"
            disabled={deciding}
            onClick={() =>
              decide("reject-suggestion", { id, target: space, ...withReason(reason) }, `${file} stays as it is.`)
            }
          />
          <ReasonField label="Reason, told to the author" value={reason} onChange={setReason} />
        </>
      }
    >
      <p>
        <Name name={author} /> suggests to {way === "append" ? "add to" : "replace"}{" "}
        <Link to={{ view: "documents", space, file }}>{visibleText(file)}</Link> in <SpaceLink space={space} />{" "}
        <span class="dim">
          <Timestamp at={at} />
        </span>
      </p>
      {note === null ? null : <p>{visibleText(note)}</p>}
      <PlainText text={content} />
    </DecisionCard>
  );
}
