import { ActionButton, Avatar, Field, Fold } from "../../parts/elements.tsx";
import { useTeam } from "../../state/page-context.ts";
import { withNewMember, type EditedMember } from "../../state/members.ts";
import { visibleText } from "../../text/visible-text.ts";

const OWN = "";

/** Who takes part in a workflow: agents of the project, and agents that exist only here. */
export function MembersForm({
  members,
  onChange,
}: {
  readonly members: readonly EditedMember[];
  readonly onChange: (members: readonly EditedMember[]) => void;
}) {
  const team = useTeam(({ agents }) => agents);
  const agents = team.filter(({ source }) => source === "file").map(({ name }) => name);
  const change = (key: number, changed: Partial<EditedMember>): void =>
    onChange(members.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  return (
    <fieldset class="field-group members-form">
      <legend>Who takes part</legend>
      {members.map((member) => (
        <Member
          key={member.key}
          member={member}
          agents={agents}
          onChange={(changed) => change(member.key, changed)}
          onRemove={() => onChange(members.filter(({ key }) => key !== member.key))}
        />
      ))}
      <p class="actions field-whole">
        <ActionButton label="Add a member" disabled={false} onClick={() => onChange(withNewMember(members, agents))} />
      </p>
    </fieldset>
  );
}

function Member({
  member,
  agents,
  onChange,
  onRemove,
}: {
  readonly member: EditedMember;
  readonly agents: readonly string[];
  readonly onChange: (changed: Partial<EditedMember>) => void;
  readonly onRemove: () => void;
}) {
  const { name, ref, prompt, backend, model, isNew } = member;
  const shown = name === "" ? "the new member" : name;
  const choose = (chosen: string): void =>
    onChange({
      ref: chosen === OWN ? null : chosen,
      ...(isNew && chosen !== OWN && name === "" ? { name: chosen } : {}),
    });
  return (
    <div class="card member field-whole" role="group" aria-label={`Member ${visibleText(shown)}`}>
      <p class="member-head">
        <Avatar name={name === "" ? "?" : name} />
        {isNew ? (
          <input
            aria-label="Name of the member"
            placeholder="Name"
            required
            pattern="[A-Za-z][A-Za-z0-9_\-]*"
            value={name}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        ) : (
          <strong>{visibleText(name)}</strong>
        )}
        <select
          aria-label={`Who ${shown} is`}
          value={ref ?? OWN}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {[...new Set([...agents, ...(ref === null ? [] : [ref])])].map((agent) => (
            <option key={agent} value={agent}>
              the agent {agent}
            </option>
          ))}
          <option value={OWN}>only in this workflow</option>
        </select>
        <button type="button" class="button quiet" aria-label={`Remove ${shown}`} onClick={onRemove}>
          Remove
        </button>
      </p>
      {ref === null ? (
        <Field label="System prompt" hint="What it does and how">
          <textarea
            rows={3}
            value={prompt ?? ""}
            onInput={(event) => onChange({ prompt: event.currentTarget.value })}
          />
        </Field>
      ) : null}
      <Fold
        summary={
          <span class="dim">
            {ref === null ? "Model and engine" : "What is different here"}
            {summaryOf(member)}
          </span>
        }
      >
        {() => (
          <div class="member-more">
            {ref === null ? null : (
              <div class="field-whole">
                <Field label="Added to its prompt" hint="Only in this workflow">
                  <textarea
                    rows={3}
                    value={prompt ?? ""}
                    onInput={(event) => onChange({ prompt: event.currentTarget.value })}
                  />
                </Field>
              </div>
            )}
            <Field label="Model" hint={ref === null ? "provider/model, or auto" : "Empty: that of the agent"}>
              <input value={model ?? ""} onInput={(event) => onChange({ model: event.currentTarget.value })} />
            </Field>
            <Field label="Engine" hint={ref === null ? "sdk, claude, codex, …" : "Empty: that of the agent"}>
              <input value={backend ?? ""} onInput={(event) => onChange({ backend: event.currentTarget.value })} />
            </Field>
          </div>
        )}
      </Fold>
    </div>
  );
}

function summaryOf({ ref, prompt, backend, model }: EditedMember): string {
  const parts = [ref === null || prompt === null ? null : "an addition to its prompt", model, backend];
  const said = parts.filter((part) => part !== null && part !== "");
  return said.length === 0 ? "" : `: ${said.join(", ")}`;
}
