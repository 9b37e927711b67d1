import { useState } from "preact/hooks";
import { ActionButton, Empty, Link, Loaded, Timestamp } from "../../parts/elements.tsx";
import { PlainText, RichText } from "../../parts/rich-text.tsx";
import { SpaceHeader } from "../../parts/space-header.tsx";
import { keyOfDocument } from "../../state/unsaved-edits.ts";
import { useOperation, usePage } from "../../state/page-context.ts";
import { sizeText } from "../../text/figures.ts";
import { DocumentEditor } from "./document-editor.tsx";
import { DocumentHistory } from "./document-history.tsx";
import { NewDocument } from "./new-document.tsx";
import { Suggestions } from "./suggestions.tsx";

/** The documents of a workspace: the list, and the selected one, which a person reads, edits and compares. */
export function Documents({ space, file }: { readonly space: string; readonly file: string | undefined }) {
  const listed = useOperation("list-documents", { target: space }, ["documents", "suggestions"]);
  return (
    <div class="view">
      <SpaceHeader space={space} view="documents" />
      <Loaded result={listed}>
        {({ documents, defaultFile, owner, electing }) => {
          const [first] = documents;
          const hasDefault = documents.some((each) => each.file === defaultFile);
          const shown = file ?? (hasDefault ? defaultFile : first?.file);
          return (
            <>
              <p class="dim">{electing ? "The owner is being elected." : ownership(owner)}</p>
              {documents.length === 0 ? <Empty>There are no documents yet.</Empty> : null}
              <div class="documents">
                <nav aria-label="Documents">
                  <ul class="plain-list">
                    {documents.map((each) => (
                      <li key={each.file}>
                        <Link to={{ view: "documents", space, file: each.file }} current={each.file === shown}>
                          {each.file}
                        </Link>
                        <span class="dim">
                          {sizeText(each.bytes)}, <Timestamp at={each.modifiedAt} />
                        </span>
                      </li>
                    ))}
                  </ul>
                  <NewDocument space={space} />
                </nav>
                {shown === undefined ? null : <DocumentView key={shown} space={space} file={shown} />}
              </div>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function ownership(owner: string | null): string {
  return owner === null ? "Everyone here may write." : `${owner} writes; the others suggest.`;
}

type Mode = "read" | "plain" | "edit" | "history";

const MODES: readonly (readonly [Mode, string])[] = [
  ["read", "Read"],
  ["plain", "As written"],
  ["edit", "Edit"],
  ["history", "History"],
];

function DocumentView({ space, file }: { readonly space: string; readonly file: string }) {
  const { edits } = usePage();
  const [mode, setMode] = useState<Mode>(() => (edits.get(keyOfDocument(space, file)) === undefined ? "read" : "edit"));
  const read = useOperation("read-document", { target: space, file }, ["documents", "suggestions"]);
  return (
    <article class="card document" aria-label={file}>
      <p class="document-head">
        <strong>{file}</strong>
        <span class="choice" role="group" aria-label="How to see it">
          {MODES.map(([each, label]) => (
            <button key={each} type="button" class="button" aria-pressed={mode === each} onClick={() => setMode(each)}>
              {label}
            </button>
          ))}
        </span>
      </p>
      <Loaded result={read}>
        {(document) => (
          <div class="beside-suggestions">
            <Suggestions space={space} file={file} content={document.content} />
            <div class="document-text">
              {mode === "edit" ? (
                <DocumentEditor space={space} file={file} latest={document} onDone={() => setMode("read")} />
              ) : mode === "history" ? (
                <DocumentHistory space={space} file={file} current={document} />
              ) : document.content.trim() === "" ? (
                <Empty>
                  It is empty. <ActionButton label="Write something" disabled={false} onClick={() => setMode("edit")} />
                </Empty>
              ) : mode === "plain" ? (
                <PlainText text={document.content} />
              ) : (
                <RichText text={document.content} />
              )}
            </div>
          </div>
        )}
      </Loaded>
    </article>
  );
}
