import { useState } from "preact/hooks";
import type { SetupView, UsableEngineView } from "../../../../src/contract/project/setup.ts";
import type { DaemonError } from "../../connection/daemon.ts";
import { ErrorBox, Field, Link, Section } from "../../parts/elements.tsx";
import { usePage } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";

/** Makes a team from a template, in a project that has no definitions yet. */
export function NewTeam({ setup: { isEmpty, templates, engines } }: { readonly setup: SetupView }) {
  if (!isEmpty) {
    return (
      <Section title="Team">
        <p>
          This project has a team. <Link to={{ view: "files", file: undefined }}>Edit its files</Link>, or add an agent
          or a workflow there.
        </p>
      </Section>
    );
  }
  return (
    <Section title="Make a team">
      <TeamForm templates={templates} engines={engines} />
    </Section>
  );
}

const OWN = "own";

function TeamForm({ templates, engines }: Pick<SetupView, "templates" | "engines">) {
  const { daemon, notify, goTo } = usePage();
  const [team, setTeam] = useState(templates[0]?.name ?? "");
  const [engine, setEngine] = useState("0");
  const [model, setModel] = useState("");
  const [baseUrl, setBaseUrl] = useState("");
  const [making, setMaking] = useState(false);
  const [error, setError] = useState<DaemonError>();
  const make = async (): Promise<void> => {
    setMaking(true);
    const own = { engine: "sdk", model: model.trim(), ...(baseUrl.trim() === "" ? {} : { baseUrl: baseUrl.trim() }) };
    const chosen =
      engine === OWN ? (own as UsableEngineView) : (engines[Number(engine)] ?? { engine: "mock" as const });
    const made = await daemon.call("create-team", { team, ...chosen });
    setMaking(false);
    setError(made.ok ? undefined : made.error);
    if (!made.ok) return;
    const { agent } = made.value;
    notify(`The team ${team} is here. ${agent === null ? "" : `Write to ${agent}, or start its workflow.`}`);
    goTo(agent === null ? { view: "files", file: undefined } : { view: "overview" });
  };
  return (
    <form
      class="form"
      aria-label="New team"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <fieldset class="tiles">
        <legend>Which team?</legend>
        {templates.map(({ name, about }) => (
          <label key={name} class="tile">
            <input type="radio" name="team" value={name} checked={team === name} onChange={() => setTeam(name)} />
            <span>
              <strong class="tile-name">{visibleText(name)}</strong> <span class="dim">{visibleText(about)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field label="What it runs on" hint="A key of a provider is kept under Connect a model">
        <select value={engine} onChange={(event) => setEngine(event.currentTarget.value)}>
          {engines.map((each, index) => (
            <option key={index} value={String(index)}>
              {engineText(each)}
            </option>
          ))}
          <option value={OWN}>another model…</option>
        </select>
      </Field>
      {engine === OWN ? (
        <>
          <Field label="Model" hint="provider/model, such as anthropic/auto; a name alone with a server of your own">
            <input value={model} required onInput={(event) => setModel(event.currentTarget.value)} />
          </Field>
          <Field label="Server of your own" hint="optional: one with an interface like that of OpenAI">
            <input type="url" value={baseUrl} onInput={(event) => setBaseUrl(event.currentTarget.value)} />
          </Field>
        </>
      ) : null}
      {error === undefined ? null : <ErrorBox error={error} />}
      <p class="actions">
        <button type="submit" class="button primary" disabled={making || team === ""}>
          {making ? "Making…" : "Make the team"}
        </button>
      </p>
    </form>
  );
}

export function engineText({ engine, model, baseUrl }: UsableEngineView): string {
  if (engine === "mock") return "the scripted engine: needs no model, says what its script says";
  if (engine === "sdk")
    return model === undefined
      ? "a model of a provider whose key is known"
      : `${model}${baseUrl === undefined ? "" : ` at ${baseUrl}`}`;
  return `${engine}, installed and logged in`;
}
