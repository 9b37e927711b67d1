import { useEffect, useState } from "preact/hooks";
import type { SuggestionView } from "../../../../src/contract/documents.ts";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import { Diff } from "../../parts/diff.tsx";
import { ActionButton, Link, Name, SpaceLink, Timestamp } from "../../parts/elements.tsx";
import { PlainText } from "../../parts/rich-text.tsx";
import { usePage } from "../../state/page-context.ts";
import { suggestedText } from "../../state/suggested-text.ts";
import { visibleText } from "../../text/visible-text.ts";
import { DecisionCard, type CardContext } from "./decision-card.tsx";
import { ReasonField } from "./reason-field.tsx";
import { useDecision, withReason } from "./use-decision.ts";

export function SuggestionCard({ suggestion, ...card }: CardContext & { readonly suggestion: SuggestionView }) {
  const { id, space, file, way, content, note, author, at } = suggestion;
  const [reason, setReason] = useState("");
  const { deciding, decide } = useDecision(card.onOutcome);
  const before = useContentBefore(suggestion);
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
        <Name name={author} /> {author === "user" ? "suggest" : "suggests"} to {way === "append" ? "add to" : "replace"}{" "}
        <Link to={{ view: "documents", space, file }}>{visibleText(file)}</Link> in <SpaceLink space={space} />{" "}
        <span class="dim">
          <Timestamp at={at} />
        </span>
      </p>
      {note === null ? null : <p>{visibleText(note)}</p>}
      {before === undefined ? (
        <PlainText text={content} />
      ) : (
        <Diff lines={lineDiff(before, suggestedText(before, suggestion))} label={`Suggested change of ${file}`} />
      )}
    </DecisionCard>
  );
}

/** The document as it was when the card came: what was accepted must still be seen afterwards. */
function useContentBefore({ space, file }: SuggestionView): string | undefined {
  const { daemon } = usePage();
  const [content, setContent] = useState<string>();
  useEffect(() => {
    const load = async (): Promise<void> => {
      const listed = await daemon.call("list-documents", { target: space });
      if (!listed.ok) return;
      // A document that is not there yet is all new.
      if (!listed.value.documents.some((each) => each.file === file)) return setContent("");
      const read = await daemon.call("read-document", { target: space, file });
      if (read.ok) setContent(read.value.content);
    };
    void load();
  }, []);
  return content;
}
