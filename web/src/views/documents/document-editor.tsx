import { useState } from "preact/hooks";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import type { DaemonError } from "../../connection/daemon.ts";
import { Diff } from "../../parts/diff.tsx";
import { ActionButton, ErrorBox, Loaded } from "../../parts/elements.tsx";
import { TextEditor } from "../../parts/text-editor.tsx";
import { keyOfDocument, type UnsavedText } from "../../state/unsaved-edits.ts";
import { usePage, useQuery } from "../../state/page-context.ts";

interface DocumentText {
  readonly content: string;
  readonly revision: string;
}

interface EditorProps {
  readonly space: string;
  readonly file: string;
  /** What the page shows now, which may be older than what is there. */
  readonly latest: DocumentText;
  readonly onDone: () => void;
}

/**
 * Edits a document from the revision that is there when the editing begins. When somebody writes meanwhile, the person
 * sees that and compares before anything is replaced. What is not saved is kept when the view is left.
 */
export function DocumentEditor(props: EditorProps) {
  const { space, file } = props;
  const read = useQuery(`edit ${space} ${file}`, (daemon) => daemon.call("read-document", { target: space, file }), []);
  return <Loaded result={read}>{(document) => <DocumentForm {...props} begun={document} />}</Loaded>;
}

function DocumentForm({ space, file, latest, begun, onDone }: EditorProps & { readonly begun: DocumentText }) {
  const { daemon, notify, edits } = usePage();
  const key = keyOfDocument(space, file);
  const [kept] = useState(() => edits.get<UnsavedText>(key));
  const [base, setBase] = useState(begun);
  const [text, setText] = useState(kept?.text ?? begun.content);
  const [shownAtBegin] = useState(latest.revision);
  const [reviewing, setReviewing] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<DaemonError>();
  const isStale = latest.revision !== base.revision && latest.revision !== shownAtBegin;
  const write = (next: string): void => {
    setText(next);
    if (next === base.content) edits.drop(key);
    else edits.keep(key, { text: next, revision: base.revision } satisfies UnsavedText);
  };
  const leave = (): void => {
    edits.drop(key);
    onDone();
  };
  const save = async (): Promise<void> => {
    setSaving(true);
    const written = await daemon.call("write-document", {
      target: space,
      file,
      content: text,
      revision: base.revision,
    });
    setSaving(false);
    setError(written.ok ? undefined : written.error);
    if (!written.ok) return;
    notify(`${file} was written.`);
    leave();
  };
  return (
    <div class="file-editor">
      {kept === undefined || text === base.content ? null : (
        <p class="dim" role="status">
          {kept.revision === begun.revision
            ? "You have not saved this yet."
            : "You have not saved this yet, and somebody wrote since you began. See the change before you save it."}
        </p>
      )}
      {isStale ? (
        <p class="warn-text" role="status">
          Somebody wrote it meanwhile.{" "}
          <ActionButton
            label="Compare with what is there now"
            disabled={false}
            onClick={() => {
              setBase(latest);
              setReviewing(true);
            }}
          />
        </p>
      ) : null}
      {reviewing ? (
        <Diff lines={lineDiff(base.content, text)} label={`Change of ${file}`} />
      ) : (
        <TextEditor label={`Text of ${file}`} text={text} onText={write} />
      )}
      {error === undefined ? null : <ErrorBox error={error} />}
      <p class="actions">
        {reviewing ? (
          <>
            <ActionButton label="Save" primary disabled={saving} onClick={() => void save()} />
            <ActionButton label="Go on editing" disabled={saving} onClick={() => setReviewing(false)} />
          </>
        ) : (
          <ActionButton
            label="See the change"
            primary
            disabled={text === base.content}
            onClick={() => setReviewing(true)}
          />
        )}
        <ActionButton label="Cancel" disabled={saving} onClick={leave} />
      </p>
    </div>
  );
}
