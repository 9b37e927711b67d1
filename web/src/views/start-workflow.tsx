import { useState } from "preact/hooks";
import type { ParamView, WorkflowView } from "../../../src/contract/workspaces.ts";
import { Empty, Link, Loaded, Section } from "../parts/elements.tsx";
import { useOperation, usePage } from "../state/page-context.ts";
import { visibleText } from "../text/visible-text.ts";

/** A form that starts a workflow of the project, with fields for its parameters. */
export function StartWorkflow() {
  const listed = useOperation("list-workflows", {}, ["workspaces", "agents"]);
  const [chosen, setChosen] = useState<string>();
  return (
    <Section title="Start a workflow">
      <Loaded result={listed}>
        {({ workflows }) => {
          const workflow = workflows.find(({ name }) => name === chosen) ?? workflows[0];
          if (workflow === undefined) {
            return (
              <Empty>
                This project has no workflows yet. <Link to={{ view: "files", file: undefined }}>Make one</Link>, or
                write to an agent.
              </Empty>
            );
          }
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
      </Loaded>
    </Section>
  );
}

function StartForm({ workflow: { name, params, kickoff } }: { readonly workflow: WorkflowView }) {
  const { daemon, notify, goTo } = usePage();
  const [tag, setTag] = useState("");
  const [message, setMessage] = useState("");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [goOn, setGoOn] = useState(false);
  const [starting, setStarting] = useState(false);
  const start = async (): Promise<void> => {
    setStarting(true);
    const started = await daemon.start({ workflow: name, tag, message, params: values, goOn });
    setStarting(false);
    if (!started.ok) return notify(`${started.error.message} ${started.error.hint ?? ""}`, "bad");
    goTo({ view: "channel", space: `@${name}:${tag === "" ? "main" : tag}` });
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
      <label class="check">
        <input type="checkbox" checked={goOn} onChange={(event) => setGoOn(event.currentTarget.checked)} />
        Go on with the messages and documents of the last time
      </label>
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

/** An empty field means the default, which is shown as the placeholder. */
function ParamField({
  param: { type, required, choices, default: defaultValue },
  value,
  onValue,
}: {
  readonly param: ParamView;
  readonly value: string;
  readonly onValue: (value: string) => void;
}) {
  const options = choices ?? (type === "boolean" ? ["true", "false"] : undefined);
  const placeholder = defaultValue === null ? "" : String(defaultValue);
  if (options === undefined) {
    return (
      <input
        {...(type === "number" ? { type: "number", step: "any" } : {})}
        placeholder={placeholder}
        required={required}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    );
  }
  return (
    <select value={value} required={required} onChange={(event) => onValue(event.currentTarget.value)}>
      <option value="">{placeholder === "" ? "" : `${visibleText(placeholder)} (default)`}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {visibleText(option)}
        </option>
      ))}
    </select>
  );
}
