import { useState } from "preact/hooks";
import type { ParamView, WorkflowView } from "../../../src/contract/workspaces.ts";
import { useAsked, usePage } from "../state/page-context.ts";
import { addressOf } from "../state/place.ts";
import { visibleText } from "../text/visible-text.ts";
import { Answered, Nothing, Section } from "../parts/parts.tsx";

/** Starts a workflow of the project: its name is chosen, and it asks for what it needs. */
export function StartWorkflow() {
  const listed = useAsked("list-workflows", {}, ["workspaces", "agents"]);
  const [chosen, setChosen] = useState<string>();
  return (
    <Section title="Start a workflow">
      <Answered answer={listed}>
        {({ workflows }) => {
          const workflow = workflows.find(({ name }) => name === chosen) ?? workflows[0];
          if (workflow === undefined) return <Nothing>This project has no workflows in .workflows/.</Nothing>;
          return (
            <>
              <p class="filter">
                <select
                  aria-label="Workflow"
                  value={workflow.name}
                  onChange={(event) => setChosen(event.currentTarget.value)}
                >
                  {workflows.map(({ name }) => (
                    <option key={name} value={name}>
                      {visibleText(name)}
                    </option>
                  ))}
                </select>
                <span class="dim">with {workflow.agents.join(", ")}</span>
              </p>
              <StartForm key={workflow.name} workflow={workflow} />
            </>
          );
        }}
      </Answered>
    </Section>
  );
}

function StartForm({ workflow: { name, params, kickoff } }: { readonly workflow: WorkflowView }) {
  const { daemon, tell } = usePage();
  const [tag, setTag] = useState("");
  const [message, setMessage] = useState("");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [starting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    const started = await daemon.start({ workflow: name, tag, message, params: values });
    setStarting(false);
    if (!started.ok) return tell(`${started.error.message} ${started.error.hint ?? ""}`, "bad");
    location.hash = addressOf({ view: "channel", space: `@${name}:${tag === "" ? "main" : tag}` });
  };
  const begin = kickoff ? "What to begin with, instead of its kickoff" : "What to begin with";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      {params.map((param) => (
        <label key={param.name} class="param">
          <span>
            {visibleText(param.name)} {param.required ? null : <span class="dim">optional</span>}
          </span>
          <ParamField
            param={param}
            value={values[param.name] ?? ""}
            onValue={(value) => setValues({ ...values, [param.name]: value })}
          />
          {param.description === null ? null : <span class="dim">{visibleText(param.description)}</span>}
        </label>
      ))}
      <p class="inline-form">
        <input
          placeholder="Tag (main)"
          aria-label="Tag"
          value={tag}
          onInput={(event) => setTag(event.currentTarget.value)}
        />
        <input
          class="grows"
          placeholder={begin}
          aria-label={begin}
          value={message}
          onInput={(event) => setMessage(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={starting}>
          {starting ? "Starting…" : "Start"}
        </button>
      </p>
    </form>
  );
}

/** What is left empty gets the default, which is what an empty field shows. */
function ParamField({
  param: { type, required, choices, default: usual },
  value,
  onValue,
}: {
  readonly param: ParamView;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const options = choices ?? (type === "boolean" ? ["true", "false"] : undefined);
  const shown = usual === null ? "" : String(usual);
  if (options === undefined) {
    return (
      <input
        {...(type === "number" ? { type: "number", step: "any" } : {})}
        placeholder={shown}
        required={required}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    );
  }
  return (
    <select value={value} required={required} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{shown === "" ? "" : `${visibleText(shown)} (default)`}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {visibleText(option)}
        </option>
      ))}
    </select>
  );
}
