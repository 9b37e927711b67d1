import { useLayoutEffect, useState } from "preact/hooks";
import type { DaemonError } from "../../connection/daemon.ts";
import { ActionButton, ErrorBox, Field, Loaded } from "../../parts/elements.tsx";
import { keyOfFields } from "../../state/unsaved-edits.ts";
import { usePage, useQuery } from "../../state/page-context.ts";
import {
  changedFields,
  membersOf,
  textsOf,
  type FieldTexts,
  type FieldValues,
  type FormKind,
} from "../../state/form-fields.ts";
import { editedMembers, memberProblem, membersToWrite, type EditedMember } from "../../state/members.ts";
import { visibleText } from "../../text/visible-text.ts";
import { MembersForm } from "./members-form.tsx";
import { FileEditor, type EditedFile } from "./file-editor.tsx";

interface FieldsFormProps {
  readonly form: FormKind;
  /** The agent or workflow. */
  readonly name: string;
  readonly onSaved: (file: string) => void;
}

/** Edits an agent or a workflow by its fields. The change of its file is shown as a diff and then written like any other. */
export function FieldsForm({ form, name, onSaved }: FieldsFormProps) {
  const [version, setVersion] = useState(0);
  const loaded = useQuery(`fields ${name} ${version}`, (daemon) => daemon.call(form.operation, { name }), []);
  const saved = (file: string): void => {
    setVersion(version + 1);
    onSaved(file);
  };
  return (
    <Loaded result={loaded}>
      {({ fields }) => <Fields key={`${name} ${version}`} form={form} name={name} values={fields} onSaved={saved} />}
    </Loaded>
  );
}

/** What is changed in a form and not saved. Fields that are not in it are those of the file. */
interface UnsavedFields {
  readonly texts: FieldTexts;
  readonly members: readonly EditedMember[] | undefined;
}

function Fields({ form, name, values, onSaved }: FieldsFormProps & { readonly values: FieldValues }) {
  const { daemon, edits } = usePage();
  const key = keyOfFields(name, form.operation);
  const [kept] = useState(() => edits.get<UnsavedFields>(key));
  const [texts, setTexts] = useState<FieldTexts>(() => ({ ...textsOf(form, values), ...kept?.texts }));
  const before = membersOf(values);
  const [members, setMembers] = useState(() => kept?.members ?? editedMembers(before ?? []));
  const [draft, setDraft] = useState<{ readonly edited: EditedFile; readonly after: string }>();
  const [error, setError] = useState<DaemonError>();
  const written = membersToWrite(members);
  const membersChanged = before !== undefined && JSON.stringify(written) !== JSON.stringify(before);
  const changes = { ...changedFields(form, values, texts), ...(membersChanged ? { members: [...written] } : {}) };
  const problem = membersChanged ? memberProblem(members) : null;
  const isChanged = Object.keys(changes).length > 0;
  // At once: whoever leaves right after a key would lose it.
  useLayoutEffect(() => {
    if (!isChanged) return edits.drop(key);
    const changedTexts = Object.entries(texts).filter(([field]) => field in changes);
    edits.keep(key, {
      texts: Object.fromEntries(changedTexts),
      members: membersChanged ? members : undefined,
    } satisfies UnsavedFields);
  }, [texts, members]);
  const discard = (): void => {
    setTexts(textsOf(form, values));
    setMembers(editedMembers(before ?? []));
    setError(undefined);
  };
  const saved = (file: string): void => {
    edits.drop(key);
    onSaved(file);
  };
  const review = async (): Promise<void> => {
    const drafted = await daemon.call(form.operation, { name, fields: changes });
    setError(drafted.ok ? undefined : drafted.error);
    if (!drafted.ok) return;
    const { file, revision, before, after } = drafted.value;
    setDraft({ edited: { file, text: before, revision }, after });
  };
  if (draft !== undefined) {
    return (
      <>
        <FileEditor edited={draft.edited} initial={draft.after} isYaml onSaved={saved} />
        <button type="button" class="link" onClick={() => setDraft(undefined)}>
          Back to the form
        </button>
      </>
    );
  }
  return (
    <form
      class="form"
      aria-label={`Fields of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void review();
      }}
    >
      {before === undefined ? null : <MembersForm members={members} onChange={setMembers} />}
      {form.groups.map(({ title, fields }) => (
        <fieldset key={title} class="field-group">
          <legend>{title}</legend>
          {fields.map(({ name: field, label, hint, kind }) => {
            const write = (event: { readonly currentTarget: { readonly value: string } }): void =>
              setTexts({ ...texts, [field]: event.currentTarget.value });
            return (
              <div key={field} class={kind === "text" ? "field-whole" : ""}>
                <Field label={label} hint={hint}>
                  {kind === "text" || kind === "lines" ? (
                    <textarea
                      rows={kind === "text" ? rowsOf(texts[field] ?? "") : 3}
                      value={texts[field]}
                      onInput={write}
                    />
                  ) : kind === "member" ? (
                    <MemberChoice members={written} value={texts[field] ?? ""} onChange={write} />
                  ) : (
                    <input {...NUMBERS[kind]} value={texts[field]} onInput={write} />
                  )}
                </Field>
              </div>
            );
          })}
        </fieldset>
      ))}
      {problem === null ? null : <p class="warn-text">{visibleText(problem)}</p>}
      {error === undefined ? null : <ErrorBox error={error} />}
      <p class="actions">
        <button type="submit" class="button primary" disabled={!isChanged || problem !== null}>
          See the change
        </button>
        {isChanged ? <ActionButton label="Discard" disabled={false} onClick={discard} /> : null}
        {isChanged && kept !== undefined ? <span class="dim">You have not saved this yet.</span> : null}
      </p>
    </form>
  );
}

const NUMBERS = {
  line: {},
  number: { type: "number", step: "any", min: "0" },
  count: { type: "number", step: "1", min: "1" },
} as const;

const LEAST_ROWS = 4;
const MOST_ROWS = 14;

/** As high as the text needs. */
function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, text.split("\n").length + 1));
}

/** One of the members, everybody, or whoever they elect. */
function MemberChoice({
  members,
  value,
  onChange,
}: {
  readonly members: readonly { readonly name: string }[];
  readonly value: string;
  readonly onChange: (event: { readonly currentTarget: { readonly value: string } }) => void;
}) {
  const names = [...new Set([...members.map(({ name }) => name), value])].filter(
    (name) => !["", "elect"].includes(name),
  );
  return (
    <select value={value} onChange={onChange}>
      <option value="">everybody</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {visibleText(name)}
        </option>
      ))}
      <option value="elect">whoever the members elect</option>
    </select>
  );
}
