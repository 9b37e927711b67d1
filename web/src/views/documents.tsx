import { useState } from "preact/hooks";
import { Empty, Link, Loaded, Timestamp } from "../parts/elements.tsx";
import { PlainText, RichText } from "../parts/rich-text.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";
import { useOperation } from "../state/page-context.ts";
import { sizeText } from "../text/figures.ts";

/** The documents of a workspace: the list, and the selected one. */
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
                </nav>
                {shown === undefined ? null : <DocumentText space={space} file={shown} />}
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

function DocumentText({ space, file }: { readonly space: string; readonly file: string }) {
  const [asWritten, setAsWritten] = useState(false);
  const read = useOperation("read-document", { target: space, file }, ["documents", "suggestions"]);
  return (
    <article class="card document" aria-label={file}>
      <p class="document-head">
        <strong>{file}</strong>
        <label class="check dim">
          <input type="checkbox" checked={asWritten} onChange={(event) => setAsWritten(event.currentTarget.checked)} />
          as written
        </label>
      </p>
      <Loaded result={read}>
        {({ content }) => (asWritten ? <PlainText text={content} /> : <RichText text={content} />)}
      </Loaded>
    </article>
  );
}
