import { useState } from "preact/hooks";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import { Diff } from "../../parts/diff.tsx";
import { ConfirmButton, Empty, Loaded, Timestamp } from "../../parts/elements.tsx";
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
      {({ revisions }) => {
        const shown = revisions.find(({ revision }) => revision === chosen) ?? revisions[0];
        if (shown === undefined) return <Empty>It has only been written once.</Empty>;
        return (
          <>
            <label class="field">
              <span class="field-label">What changed since</span>
              <select value={shown.revision} onChange={(event) => setChosen(event.currentTarget.value)}>
                {revisions.map(({ revision, modifiedAt, bytes }) => (
                  <option key={`${revision} ${modifiedAt}`} value={revision}>
                    {new Date(modifiedAt).toLocaleString()}, {sizeText(bytes)}
                  </option>
                ))}
              </select>
            </label>
            <p class="dim">
              Written <Timestamp at={shown.modifiedAt} />
            </p>
            <Compared space={space} file={file} revision={shown.revision} current={current} />
          </>
        );
      }}
    </Loaded>
  );
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
