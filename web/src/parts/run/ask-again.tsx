import { useState } from "preact/hooks";
import { usePage } from "../../state/page-context.ts";
import { ActionButton } from "../elements.tsx";

/** Asks again from a step, with another model or system prompt. The answer is in a conversation of its own. */
export function AskAgain({
  run,
  step,
  model,
}: {
  readonly run: string;
  readonly step: number;
  readonly model: string;
}) {
  const { daemon, notify, goTo } = usePage();
  const [chosen, setChosen] = useState("");
  const [system, setSystem] = useState("");
  const [asking, setAsking] = useState(false);
  const ask = async (): Promise<void> => {
    setAsking(true);
    const asked = await daemon.call("retry-run", {
      id: run,
      fromStep: step,
      ...(chosen.trim() === "" ? {} : { model: chosen.trim() }),
      ...(system.trim() === "" ? {} : { system }),
    });
    setAsking(false);
    if (!asked.ok) return notify(`${asked.error.message} ${asked.error.hint ?? ""}`, "bad");
    notify(`${asked.value.agent} answers, apart from the conversation.`);
    goTo({ view: "channel", space: asked.value.agent });
  };
  return (
    <form
      class="again"
      aria-label={`Ask again from step ${step}`}
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <label>
        Model{" "}
        <input
          value={chosen}
          placeholder={model === "" ? "the model of the agent" : model}
          onInput={(event) => setChosen(event.currentTarget.value)}
        />
      </label>
      <label>
        System prompt{" "}
        <textarea
          rows={3}
          value={system}
          placeholder="that of the agent"
          onInput={(event) => setSystem(event.currentTarget.value)}
        />
      </label>
      <p class="dim">
        The steps before stay as they were. A copy of the agent answers in its own direct messages; what its tools
        change is real.
      </p>
      <p class="actions">
        <ActionButton label={asking ? "Asking…" : "Ask again"} primary disabled={asking} onClick={ask} />
      </p>
    </form>
  );
}
