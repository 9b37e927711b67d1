import { useState } from "preact/hooks";
import { Field, Link } from "../../parts/elements.tsx";
import { FileEditor } from "./file-editor.tsx";

/** What can be made. A project has one file for itself, so that has no name. */
export type NewKind = "agent" | "workflow" | "project";

const FOLDERS = { agent: ".agents", workflow: ".workflows" } as const;
export const PROJECT_FILE = "moniro.yaml";

/** Makes a new agent, workflow or project file: a name, and a first text to change. */
export function NewFile({
  kind,
  agents,
  taken,
  onSaved,
}: {
  readonly kind: NewKind;
  readonly agents: readonly string[];
  /** The files and names that are there already. */
  readonly taken: ReadonlySet<string>;
  readonly onSaved: (file: string) => void;
}) {
  const [name, setName] = useState("");
  const [begun, setBegun] = useState(false);
  const file = kind === "project" ? PROJECT_FILE : `${FOLDERS[kind]}/${name.trim()}.yaml`;
  if (begun || kind === "project") {
    return (
      <>
        <FileEditor
          edited={{ file, text: "", revision: null }}
          initial={
            kind === "project"
              ? NEW_PROJECT
              : kind === "agent"
                ? newAgent(name.trim())
                : newWorkflow(name.trim(), agents)
          }
          isYaml
          onSaved={onSaved}
        />
        {kind === "project" ? null : (
          <button type="button" class="link" onClick={() => setBegun(false)}>
            Change the name
          </button>
        )}
      </>
    );
  }
  const isTaken = taken.has(file) || taken.has(`${kind} ${name.trim()}`);
  return (
    <form
      class="inline-form"
      aria-label={`New ${kind}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isTaken) setBegun(true);
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
      <button type="submit" class="button primary" disabled={name.trim() === "" || isTaken}>
        Begin
      </button>
      {isTaken ? (
        <p class="warn-text" role="status">
          There is {kind === "agent" ? "an agent" : "a workflow"} {name.trim()} already.{" "}
          <Link to={{ view: "files", file }}>Open it</Link>, or choose another name.
        </p>
      ) : null}
    </form>
  );
}

const NEW_PROJECT = `# What holds for the whole project, unless an agent or a workflow says otherwise.
defaults:
  budget:
    hops: 64 # messages in a row
# What models cost, in dollars for a million tokens:
# prices:
#   provider/model: { input: 1, output: 5 }
`;

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
