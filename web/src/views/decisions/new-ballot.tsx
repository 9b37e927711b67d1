import { useState } from "preact/hooks";
import { Fold } from "../../parts/elements.tsx";
import { ballotInput, EMPTY_BALLOT, type BallotForm } from "../../state/new-ballot.ts";
import { usePage, useTeam } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";

/** A folded form that asks the participants of a workspace to decide by vote. */
export function NewBallot() {
  return <Fold summary="Ask a team to decide">{() => <NewBallotForm />}</Fold>;
}

const CONSEQUENCES: readonly { readonly value: BallotForm["follows"]; readonly label: string }[] = [
  { value: "", label: "Nothing follows" },
  { value: "document-owner", label: "The chosen one owns the documents" },
  { value: "role", label: "The chosen one gets a role" },
  { value: "assign", label: "The chosen one gets a task" },
];

function NewBallotForm() {
  const { daemon, notify } = usePage();
  const workspaces = useTeam((state) => state.workspaces).filter(({ state }) => state === "open");
  const [form, setForm] = useState<BallotForm>({ ...EMPTY_BALLOT, target: "" });
  const [opening, setOpening] = useState(false);
  const workspace = workspaces.find(({ space }) => space === form.target) ?? workspaces[0];
  if (workspace === undefined) return <p class="nothing">No workspace is open.</p>;
  const change = (changed: Partial<BallotForm>): void => setForm({ ...form, ...changed });
  const open = async (): Promise<void> => {
    setOpening(true);
    const input = ballotInput({ ...form, target: workspace.space }, workspace.participants);
    const opened = await daemon.call("create-ballot", input);
    setOpening(false);
    if (!opened.ok) return notify(`${opened.error.message} ${opened.error.hint ?? ""}`, "bad");
    setForm({ ...EMPTY_BALLOT, target: form.target });
    notify(`${workspace.name} votes on ${opened.value.title}.`, "good");
  };
  return (
    <form
      aria-label="New ballot"
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <p class="inline-form">
        <select
          aria-label="Workspace"
          value={workspace.space}
          onChange={(event) => change({ target: event.currentTarget.value })}
        >
          {workspaces.map(({ space, name }) => (
            <option key={space} value={space}>
              {visibleText(name)}
            </option>
          ))}
        </select>
        <input
          class="grows"
          required
          placeholder="The question"
          aria-label="Question"
          value={form.title}
          onInput={(event) => change({ title: event.currentTarget.value })}
        />
      </p>
      <label class="param">
        <span>Options</span>
        <textarea
          rows={3}
          placeholder={workspace.participants.join("\n")}
          value={form.options}
          onInput={(event) => change({ options: event.currentTarget.value })}
        />
        <span class="dim">One per line. Without any, the participants are the options.</span>
      </label>
      <p class="inline-form">
        <select
          aria-label="What follows"
          value={form.follows}
          onChange={(event) => change({ follows: event.currentTarget.value as BallotForm["follows"] })}
        >
          {CONSEQUENCES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        {form.follows === "role" || form.follows === "assign" ? (
          <input
            class="grows"
            required
            placeholder={form.follows === "role" ? "The role" : "The task"}
            aria-label={form.follows === "role" ? "Role" : "Task"}
            value={form.followsText}
            onInput={(event) => change({ followsText: event.currentTarget.value })}
          />
        ) : null}
        <input
          type="number"
          min={1}
          placeholder="Quorum (everyone)"
          aria-label="Quorum"
          value={form.quorum}
          onInput={(event) => change({ quorum: event.currentTarget.value })}
        />
        <label>
          <input
            type="checkbox"
            checked={form.withPerson}
            onChange={(event) => change({ withPerson: event.currentTarget.checked })}
          />{" "}
          I vote, too
        </label>
        <button type="submit" class="button primary" disabled={opening}>
          {opening ? "Opening…" : "Open the vote"}
        </button>
      </p>
    </form>
  );
}
