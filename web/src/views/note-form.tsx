import { useState } from "preact/hooks";
import { Field } from "../parts/elements.tsx";
import { usePage } from "../state/page-context.ts";

/** Writes a note into the notebook of an agent. */
export function NoteForm({ agent }: { readonly agent: string }) {
  const { daemon, notify } = usePage();
  const [title, setTitle] = useState("");
  const [text, setText] = useState("");
  const save = async (): Promise<void> => {
    const added = await daemon.call("add-note", {
      agent,
      text,
      ...(title.trim() === "" ? {} : { title: title.trim() }),
    });
    if (added.ok) {
      setTitle("");
      setText("");
    }
    notify(added.ok ? `${agent} has the note.` : added.error.message, added.ok ? "good" : "bad");
  };
  return (
    <form
      class="form"
      aria-label="New note"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="Title" hint="optional">
        <input value={title} onInput={(event) => setTitle(event.currentTarget.value)} />
      </Field>
      <Field label="Note">
        <textarea rows={4} value={text} required onInput={(event) => setText(event.currentTarget.value)} />
      </Field>
      <p class="actions">
        <button type="submit" class="button" disabled={text.trim() === ""}>
          Add the note
        </button>
      </p>
    </form>
  );
}
