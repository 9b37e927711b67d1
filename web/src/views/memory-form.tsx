import { useState } from "preact/hooks";
import type { MemoryEntryView } from "../../../src/contract/memory.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { ActionButton, Field } from "../parts/elements.tsx";
import { usePage } from "../state/page-context.ts";

/** Writes a memory of an agent: a new one, or another value under the same key. */
export function MemoryForm({
  agent,
  entry,
  onDone,
}: {
  readonly agent: string;
  readonly entry?: MemoryEntryView;
  readonly onDone?: () => void;
}) {
  const { daemon, notify } = usePage();
  const [key, setKey] = useState(entry?.key ?? "");
  const [value, setValue] = useState(entry === undefined ? "" : textOf(entry.value));
  const save = async (): Promise<void> => {
    const set = await daemon.call("set-memory", { agent, key: key.trim(), value });
    notify(set.ok ? `${agent} remembers ${key.trim()}.` : set.error.message, set.ok ? "good" : "bad");
    if (!set.ok) return;
    if (entry === undefined) {
      setKey("");
      setValue("");
    }
    onDone?.();
  };
  return (
    <form
      class="form"
      aria-label={entry === undefined ? "New memory" : `Memory ${entry.key}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {entry === undefined ? (
        <Field label="Key" hint="a short name, such as review-style">
          <input value={key} required onInput={(event) => setKey(event.currentTarget.value)} />
        </Field>
      ) : null}
      <Field label="What it should remember">
        <textarea rows={3} value={value} required onInput={(event) => setValue(event.currentTarget.value)} />
      </Field>
      <p class="actions">
        <button type="submit" class="button" disabled={key.trim() === "" || value.trim() === ""}>
          Remember
        </button>
        {onDone === undefined ? null : <ActionButton label="Cancel" disabled={false} onClick={onDone} />}
      </p>
    </form>
  );
}

/** The buttons beside a memory. */
export function MemoryActions({ agent, entry }: { readonly agent: string; readonly entry: MemoryEntryView }) {
  const { daemon, notify } = usePage();
  const [editing, setEditing] = useState(false);
  const forget = async (): Promise<void> => {
    const forgotten = await daemon.call("forget-memory", { agent, key: entry.key });
    notify(
      forgotten.ok ? `${agent} has forgotten ${entry.key}.` : forgotten.error.message,
      forgotten.ok ? "good" : "bad",
    );
  };
  if (editing) return <MemoryForm agent={agent} entry={entry} onDone={() => setEditing(false)} />;
  return (
    <span class="row-actions">
      <button type="button" class="link" onClick={() => setEditing(true)}>
        Edit<span class="unseen"> {entry.key}</span>
      </button>{" "}
      <ConfirmButton label="Forget" onConfirm={() => void forget()} />
    </span>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
