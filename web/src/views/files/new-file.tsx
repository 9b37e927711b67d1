import { useState } from "preact/hooks";
import { Field } from "../../parts/elements.tsx";
import { FileEditor } from "./file-editor.tsx";

type NewKind = "agent" | "workflow";

const FOLDERS: Readonly<Record<NewKind, string>> = { agent: ".agents", workflow: ".workflows" };

/** Makes a new agent or workflow: a name, and a first text to change. */
export function NewFile({
  kind,
  agents,
  onSaved,
}: {
  readonly kind: NewKind;
  readonly agents: readonly string[];
  readonly onSaved: (file: string) => void;
}) {
  const [name, setName] = useState("");
  const [begun, setBegun] = useState(false);
  const file = `${FOLDERS[kind]}/${name.trim()}.yaml`;
  if (begun) {
    return (
      <FileEditor
        edited={{ file, text: "", revision: null }}
        initial={kind === "agent" ? newAgent(name.trim()) : newWorkflow(name.trim(), agents)}
        isYaml
        onSaved={onSaved}
      />
    );
  }
  return (
    <form
      class="inline-form"
      aria-label={`New ${kind}`}
      onSubmit={(event) => {
        event.preventDefault();
        setBegun(true);
      }}
    >
      <Field label={`Name of the new ${kind}`}>
        <input
          value={name}
          required
          pattern="[A-Za-z][A-Za-z0-9_\-]*"
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <button type="submit" class="button primary" disabled={name.trim() === ""}>
        Begin
      </button>
    </form>
  );
}

function newAgent(name: string): string {
  return `name: ${name}
model: auto
prompt:
  system: |
    You are ${name}.
soul:
  role: helper
`;
}

function newWorkflow(name: string, agents: readonly string[]): string {
  const members = agents.slice(0, 3).map((agent) => `  ${agent}: { ref: ${agent} }\n`);
  const begin = agents[0] === undefined ? "" : `kickoff: "@${agents[0]} please begin."\n`;
  return `name: ${name}
agents:
${members.join("") || "  # alice: { ref: alice }\n"}${begin}`;
}
