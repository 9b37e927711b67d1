import { useState } from "preact/hooks";
import type { AgentFieldsView } from "../../../../src/contract/project/definition-files.ts";
import type { DaemonError } from "../../connection/daemon.ts";
import { ErrorBox, Field, Loaded } from "../../parts/elements.tsx";
import { useQuery, usePage } from "../../state/page-context.ts";
import { AGENT_FIELDS, changedFields, textOf, type FieldTexts } from "../../state/agent-fields.ts";
import { FileEditor, type EditedFile } from "./file-editor.tsx";

/** Edits an agent by its fields. The change of its file is shown as a diff and then written like any other. */
export function AgentForm({ agent, onSaved }: { readonly agent: string; readonly onSaved: (file: string) => void }) {
  const [version, setVersion] = useState(0);
  const loaded = useQuery(
    `fields ${agent} ${version}`,
    (daemon) => daemon.call("draft-agent-file", { name: agent }),
    [],
  );
  const saved = (file: string): void => {
    setVersion(version + 1);
    onSaved(file);
  };
  return (
    <Loaded result={loaded}>
      {({ fields }) => <Fields key={`${agent} ${version}`} agent={agent} fields={fields} onSaved={saved} />}
    </Loaded>
  );
}

function Fields({
  agent,
  fields,
  onSaved,
}: {
  readonly agent: string;
  readonly fields: AgentFieldsView;
  readonly onSaved: (file: string) => void;
}) {
  const { daemon } = usePage();
  const [texts, setTexts] = useState<FieldTexts>(() => textOf(fields));
  const [draft, setDraft] = useState<{ readonly edited: EditedFile; readonly after: string }>();
  const [error, setError] = useState<DaemonError>();
  const changes = changedFields(fields, texts);
  const review = async (): Promise<void> => {
    const drafted = await daemon.call("draft-agent-file", { name: agent, fields: changes });
    setError(drafted.ok ? undefined : drafted.error);
    if (!drafted.ok) return;
    const { file, revision, before, after } = drafted.value;
    setDraft({ edited: { file, text: before, revision }, after });
  };
  if (draft !== undefined) {
    return (
      <>
        <FileEditor edited={draft.edited} initial={draft.after} isYaml onSaved={onSaved} />
        <button type="button" class="link" onClick={() => setDraft(undefined)}>
          Back to the form
        </button>
      </>
    );
  }
  return (
    <form
      class="form"
      aria-label={`Fields of ${agent}`}
      onSubmit={(event) => {
        event.preventDefault();
        void review();
      }}
    >
      {AGENT_FIELDS.map(({ name, label, hint, kind }) => (
        <Field key={name} label={label} hint={hint}>
          {kind === "text" || kind === "lines" ? (
            <textarea
              rows={kind === "text" ? 8 : 3}
              value={texts[name]}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
          ) : (
            <input
              {...(kind === "number" ? { type: "number", step: "any", min: "0" } : {})}
              value={texts[name]}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
          )}
        </Field>
      ))}
      {error === undefined ? null : <ErrorBox error={error} />}
      <p class="actions">
        <button type="submit" class="button primary" disabled={Object.keys(changes).length === 0}>
          See the change
        </button>
      </p>
    </form>
  );
}
