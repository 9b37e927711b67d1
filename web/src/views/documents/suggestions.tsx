import type { SuggestionView } from "../../../../src/contract/documents.ts";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import { Diff } from "../../parts/diff.tsx";
import { ActionButton, Name, Timestamp } from "../../parts/elements.tsx";
import { useOperation } from "../../state/page-context.ts";
import { suggestedText } from "../../state/suggested-text.ts";
import { visibleText } from "../../text/visible-text.ts";
import { useDecision } from "../decisions/use-decision.ts";

/** The suggested changes of a document, side by side with what each would change. */
export function Suggestions({
  space,
  file,
  content,
}: {
  readonly space: string;
  readonly file: string;
  readonly content: string;
}) {
  const listed = useOperation("list-suggestions", { target: space, file }, ["suggestions", "documents"]);
  if (listed?.ok !== true || listed.value.suggestions.length === 0) return null;
  return (
    <div class="suggestions" role="group" aria-label="Suggestions">
      {listed.value.suggestions.map((suggestion) => (
        <Suggestion key={suggestion.id} suggestion={suggestion} content={content} />
      ))}
    </div>
  );
}

function Suggestion({ suggestion, content }: { readonly suggestion: SuggestionView; readonly content: string }) {
  const { id, space, file, note, author, at } = suggestion;
  const { deciding, decide } = useDecision();
  return (
    <section class="card" aria-label={`Suggestion of ${author}`}>
      <p>
        <Name name={author} /> {author === "user" ? "suggest" : "suggests"}{" "}
        <span class="dim">
          <Timestamp at={at} />
        </span>
        {note === null ? null : <>: {visibleText(note)}</>}
      </p>
      <Diff lines={lineDiff(content, suggestedText(content, suggestion))} label={`Suggested change of ${file}`} />
      <p class="actions">
        <ActionButton
          label="Accept"
          primary
          disabled={deciding}
          onClick={() => decide("accept-suggestion", { id, target: space }, `${file} was changed.`)}
        />
        <ActionButton
          label="Reject"
          disabled={deciding}
          onClick={() => decide("reject-suggestion", { id, target: space }, `${file} stays as it is.`)}
        />
      </p>
    </section>
  );
}
