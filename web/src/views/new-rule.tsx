import { useState } from "preact/hooks";
import type { OperationInput } from "../../../src/contract/operations.ts";
import { Field, Section } from "../parts/elements.tsx";
import { usePage, useTeam } from "../state/page-context.ts";
import { visibleText } from "../text/visible-text.ts";

type Condition = OperationInput<"add-rule">["when"];

/** A form for the usual rule: when something is said, written or decided, something is said. */
export function NewRule({ space }: { readonly space: string }) {
  const { daemon, notify } = usePage();
  const workspace = useTeam(({ workspaces }) => workspaces.find((each) => each.space === space));
  const members = workspace?.participants ?? [];
  const [name, setName] = useState("");
  const [on, setOn] = useState<Condition["on"]>("message");
  const [contains, setContains] = useState("");
  const [from, setFrom] = useState("");
  const [message, setMessage] = useState("");
  const [saving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    setSaving(true);
    const added = await daemon.call("add-rule", {
      target: space,
      name: name.trim(),
      when: conditionOf(on, contains.trim(), from.trim()),
      then: { propose: "send-message", data: { message } },
    });
    setSaving(false);
    if (added.ok) {
      setName("");
      setMessage("");
    }
    notify(
      added.ok ? `${name.trim()} acts from now on.` : `${added.error.message} ${added.error.hint ?? ""}`,
      added.ok ? "good" : "bad",
    );
  };
  return (
    <Section title="Add a rule">
      <form
        class="form"
        aria-label="New rule"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label="Name" hint="letters, digits, - and _">
          <input
            value={name}
            required
            pattern="[A-Za-z][A-Za-z0-9_\-]*"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="When">
          <select value={on} onChange={(event) => setOn(event.currentTarget.value as Condition["on"])}>
            <option value="message">something is said</option>
            <option value="document">a document is written</option>
            <option value="ballot">a vote ends</option>
          </select>
        </Field>
        {on === "ballot" ? null : (
          <>
            <Field label={on === "message" ? "That holds" : "Name of the document"} hint="optional">
              <input value={contains} onInput={(event) => setContains(event.currentTarget.value)} />
            </Field>
            <Field label="By">
              <select value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
                <option value="">anybody</option>
                <option value="user">you</option>
                {members.map((member) => (
                  <option key={member} value={member}>
                    {visibleText(member)}
                  </option>
                ))}
              </select>
            </Field>
          </>
        )}
        <Field label="Say" hint="@name calls somebody; ${{ message.text }} is what was said">
          <textarea rows={3} value={message} required onInput={(event) => setMessage(event.currentTarget.value)} />
        </Field>
        <p class="actions">
          <button type="submit" class="button primary" disabled={saving || name.trim() === "" || message.trim() === ""}>
            Add
          </button>
        </p>
      </form>
    </Section>
  );
}

function conditionOf(on: Condition["on"], text: string, from: string): Condition {
  const by = from === "" ? {} : { from };
  if (on === "message") return { on, ...by, ...(text === "" ? {} : { contains: text }) };
  if (on === "document") return { on, ...by, ...(text === "" ? {} : { file: text }) };
  return { on };
}
