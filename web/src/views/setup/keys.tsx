import { useState } from "preact/hooks";
import type { SetupView } from "../../../../src/contract/project/setup.ts";
import { ConfirmButton } from "../../parts/confirm-button.tsx";
import { Badge, Field, Section } from "../../parts/elements.tsx";
import { usePage } from "../../state/page-context.ts";
import { visibleText } from "../../text/visible-text.ts";
import { engineText } from "./new-team.tsx";

/** Connects a model: what is there already, and a key of a provider, which is kept in the home and never shown. */
export function Keys({ providers: listed, engines }: Pick<SetupView, "providers" | "engines">) {
  const { daemon, notify } = usePage();
  const [ready, setReady] = useState<Readonly<Record<string, boolean>>>({});
  const [provider, setProvider] = useState(listed[0]?.name ?? "");
  const [value, setValue] = useState("");
  const providers = listed.map((each) => ({ ...each, ready: ready[each.name] ?? each.ready }));
  const keep = async (): Promise<void> => {
    const kept = await daemon.call("store-key", { provider, value });
    setValue("");
    if (kept.ok) setReady({ ...ready, [provider]: true });
    notify(
      kept.ok
        ? `The key of ${provider} is kept in ${kept.value.place === "keyring" ? "the keyring of this machine" : "a file that only you can read"}.`
        : kept.error.message,
      kept.ok ? "good" : "bad",
    );
  };
  const forget = async (name: string): Promise<void> => {
    const removed = await daemon.call("remove-key", { provider: name });
    if (removed.ok) setReady({ ...ready, [name]: false });
    notify(
      removed.ok ? `The key of ${name} is forgotten.` : `${removed.error.message} ${removed.error.hint ?? ""}`,
      removed.ok ? "good" : "bad",
    );
  };
  return (
    <Section title="Connect a model">
      <p class="dim">This machine has: {engines.map(engineText).join("; ")}.</p>
      <ul class="plain-list">
        {providers.map(({ name, variable, ready: isReady, model }) => (
          <li key={name}>
            <strong>{visibleText(name)}</strong>{" "}
            {isReady ? <Badge kind="good">key known</Badge> : <Badge>no key</Badge>}{" "}
            <span class="dim">
              {variable}
              {model === null ? "" : `, auto is ${model}`}
            </span>{" "}
            {isReady ? <ConfirmButton label="Forget the key" onConfirm={() => void forget(name)} /> : null}
          </li>
        ))}
      </ul>
      <form
        class="form"
        aria-label="Key of a provider"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <Field label="Provider">
          <select value={provider} onChange={(event) => setProvider(event.currentTarget.value)}>
            {providers.map(({ name }) => (
              <option key={name} value={name}>
                {visibleText(name)}
              </option>
            ))}
          </select>
        </Field>
        <Field
          label="Key"
          hint="Goes to your home on the machine of the daemon, for all your projects. It is never shown again."
        >
          <input
            type="password"
            autocomplete="off"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </Field>
        <p class="actions">
          <button type="submit" class="button primary" disabled={value.trim() === ""}>
            Keep the key
          </button>
        </p>
      </form>
    </Section>
  );
}
