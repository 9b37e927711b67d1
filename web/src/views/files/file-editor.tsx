import { useState } from "preact/hooks";
import { lineDiff } from "../../../../src/contract/text/line-diff.ts";
import type { DaemonError } from "../../connection/daemon.ts";
import { Diff } from "../../parts/diff.tsx";
import { ActionButton, ErrorBox } from "../../parts/elements.tsx";
import { placeCursor, Problems, TextEditor, useEditorField } from "../../parts/text-editor.tsx";
import { keyOfFile, type UnsavedText } from "../../state/unsaved-edits.ts";
import { usePage } from "../../state/page-context.ts";
import { useCheckedText } from "../../state/use-checked-text.ts";

/** A definition file as a person edits it. A revision of null is a new file. */
export interface EditedFile {
  readonly file: string;
  readonly text: string;
  readonly revision: string | null;
}

/**
 * Edits the text of a definition file: mistakes are shown while one types, and the change as a diff before it is
 * written. A file that somebody else changed meanwhile is not overwritten. What is not saved is kept when the view is
 * left.
 */
export function FileEditor({
  edited: { file, text: before, revision },
  initial = before,
  isYaml,
  onSaved,
}: {
  readonly edited: EditedFile;
  readonly initial?: string;
  readonly isYaml: boolean;
  readonly onSaved: (file: string) => void;
}) {
  const { daemon, notify, edits } = usePage();
  // A text that comes from a form is newer than what was typed here before.
  const [kept] = useState(() =>
    initial === before || revision === null ? edits.get<UnsavedText>(keyOfFile(file)) : undefined,
  );
  const [text, setText] = useState(kept?.text ?? initial);
  const [reviewing, setReviewing] = useState(kept === undefined && initial !== before);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<DaemonError>();
  const field = useEditorField();
  const checked = useCheckedText(file, text);
  const problems = isYaml ? checked : [];
  const hasErrors = problems?.some(({ severity }) => severity === "error") ?? true;
  const isChanged = text !== before || revision === null;
  const write = (next: string): void => {
    setText(next);
    if (next === before) edits.drop(keyOfFile(file));
    else edits.keep(keyOfFile(file), { text: next, revision } satisfies UnsavedText);
  };
  const save = async (): Promise<void> => {
    setSaving(true);
    const written = await daemon.call("write-definition-file", { file, text, revision });
    setSaving(false);
    if (!written.ok) return setError(written.error);
    edits.drop(keyOfFile(file));
    setError(undefined);
    setReviewing(false);
    notify(`${file} was written. The next run follows it.`);
    onSaved(file);
  };
  return (
    <div class="file-editor">
      {kept === undefined || !isChanged ? null : (
        <p class="dim" role="status">
          {kept.revision === revision
            ? "You have not saved this yet."
            : "You have not saved this yet, and the file was changed since you began. See the change before you save it."}
        </p>
      )}
      {reviewing ? (
        <Diff lines={lineDiff(before, text)} label={`Change of ${file}`} />
      ) : (
        <TextEditor label={`Text of ${file}`} text={text} onText={write} field={field} />
      )}
      {isYaml ? (
        <Problems
          problems={problems}
          onPlace={(line, column) => {
            setReviewing(false);
            setTimeout(() => placeCursor(field.current, line, column));
          }}
        />
      ) : null}
      {error === undefined ? null : <ErrorBox error={error} />}
      <p class="actions">
        {reviewing ? (
          <>
            <ActionButton label="Save" primary disabled={saving || hasErrors} onClick={() => void save()} />
            <ActionButton label="Go on editing" disabled={saving} onClick={() => setReviewing(false)} />
          </>
        ) : (
          <ActionButton
            label="See the change"
            primary
            disabled={!isChanged || hasErrors}
            onClick={() => setReviewing(true)}
          />
        )}
        {isChanged && revision !== null ? (
          <ActionButton
            label="Discard"
            disabled={saving}
            onClick={() => {
              write(before);
              setReviewing(false);
              setError(undefined);
            }}
          />
        ) : null}
      </p>
    </div>
  );
}
