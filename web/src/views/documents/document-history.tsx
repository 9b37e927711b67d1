import { useState } from "preact/hooks";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import { Diff } from "../../parts/diff.tsx";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Empty, Loaded, Name, Timestamp } from "../../parts/elements.tsx";
import { useOperation } from "../../state/page-context.ts";
import { sizeText } from "../../text/figures.ts";
import { useDecision } from "../decisions/use-decision.ts";

interface CurrentText {
  readonly content: string;
  readonly revision: string;
}

/** The earlier revisions of a document. The chosen one is compared with what is there now. */
export function DocumentHistory({
  space,
  file,
  current,
}: {
  readonly space: string;
  readonly file: string;
  readonly current: CurrentText;
}) {
  const listed = useOperation("list-document-history", { target: space, file }, ["documents"]);
  const [chosen, setChosen] = useState<string>();
  return (
    <Loaded result={listed}>
      {({ revisions, by }) => {
        const shown = revisions.find(({ revision }) => revision === chosen) ?? revisions[0];
        if (shown === undefined)
          return (
            <Empty>
              It has only been written once, by <Writer name={by} />.
            </Empty>
          );
        return (
          <>
            <label class="field">
              <span class="field-label">What changed since</span>
              <select value={shown.revision} onChange={(event) => setChosen(event.currentTarget.value)}>
                {revisions.map(({ revision, modifiedAt, bytes, by: writer }) => (
                  <option key={`${revision} ${modifiedAt}`} value={revision}>
                    {new Date(modifiedAt).toLocaleString()}, by {writerText(writer)}, {sizeText(bytes)}
                  </option>
                ))}
              </select>
            </label>
            <p class="dim">
              From what <Writer name={shown.by} /> wrote <Timestamp at={shown.modifiedAt} /> to what{" "}
              <Writer name={by} /> wrote last.
            </p>
            <Compared space={space} file={file} revision={shown.revision} current={current} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Any program can change a file: then nobody knows who it was. */
function writerText(name: string | null): string {
  return name === null ? "somebody else" : name === "user" ? "you" : name;
}

function Writer({ name }: { readonly name: string | null }) {
  return name === null ? <>{writerText(name)}</> : <Name name={name} />;
}

function Compared({
  space,
  file,
  revision,
  current,
}: {
  readonly space: string;
  readonly file: string;
  readonly revision: string;
  readonly current: CurrentText;
}) {
  const read = useOperation("read-document", { target: space, file, revision });
  const { deciding, decide } = useDecision();
  return (
    <Loaded result={read}>
      {({ content }) => (
        <>
          <Diff lines={lineDiff(content, current.content)} label={`Change of ${file} since then`} />
          <p class="actions">
            <ConfirmButton
              label="Go back to it"
              disabled={deciding}
              onConfirm={() =>
                void decide(
                  "write-document",
                  { target: space, file, content, revision: current.revision },
                  `${file} is as it was then.`,
                )
              }
            />
          </p>
        </>
      )}
    </Loaded>
  );
}
