import { useState } from "preact/hooks";
import { useAsked } from "../state/page-context.ts";
import { sizeText } from "../text/figures.ts";
import { Answered, Go, Moment, Nothing } from "../parts/parts.tsx";
import { PlainText, RichText } from "../parts/rich-text.tsx";
import { SpaceHeader } from "../parts/space-header.tsx";

/** What a workspace writes together: the list, and one of them to read. */
export function Documents({ space, file }: { readonly space: string; readonly file: string | undefined }) {
  const listed = useAsked("list-documents", { target: space }, ["documents", "suggestions"]);
  return (
    <div class="view">
      <SpaceHeader space={space} view="documents" />
      <Answered answer={listed}>
        {({ documents, defaultFile, owner, electing }) => {
          const [first] = documents;
          const known = documents.some((each) => each.file === defaultFile);
          const shown = file ?? (known ? defaultFile : first?.file);
          return (
            <>
              <p class="dim">{electing ? "The owner is being elected." : ownership(owner)}</p>
              {documents.length === 0 ? <Nothing>There are no documents yet.</Nothing> : null}
              <div class="documents">
                <nav aria-label="Documents">
                  <ul class="plain-list">
                    {documents.map((each) => (
                      <li key={each.file}>
                        <Go to={{ view: "documents", space, file: each.file }} current={each.file === shown}>
                          {each.file}
                        </Go>
                        <span class="dim">
                          {sizeText(each.bytes)}, <Moment at={each.modifiedAt} />
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
      </Answered>
    </div>
  );
}

function ownership(owner: string | null): string {
  return owner === null ? "Everyone here may write." : `${owner} writes; the others suggest.`;
}

function DocumentText({ space, file }: { readonly space: string; readonly file: string }) {
  const [asWritten, setAsWritten] = useState(false);
  const read = useAsked("read-document", { target: space, file }, ["documents", "suggestions"]);
  return (
    <article class="card document" aria-label={file}>
      <p class="document-head">
        <strong>{file}</strong>
        <label class="check dim">
          <input type="checkbox" checked={asWritten} onChange={(event) => setAsWritten(event.currentTarget.checked)} />
          as written
        </label>
      </p>
      <Answered answer={read}>
        {({ content }) => (asWritten ? <PlainText text={content} /> : <RichText text={content} />)}
      </Answered>
    </article>
  );
}
