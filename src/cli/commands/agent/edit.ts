import { homeFolder } from "../../../client/home.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";
import { Refused } from "../../refused.ts";
import { openAgentDraft } from "./agent-draft.ts";
import { openEditor } from "./editor.ts";

export const editAgent = defineCommand({
  about: [
    "Opens the definition of an agent in $VISUAL or $EDITOR. A file with mistakes is not taken over: they are shown, and",
    "what you wrote is kept as a draft, which the next edit goes on with. With --model only the model is changed, without",
    "an editor; the next run takes it over.",
  ].join("\n"),
  words: ["NAME"],
  options: { model: { short: "m", value: "MODEL", about: "The model to use from the next run on" } },
  examples: [
    "agent-worker agent edit alice",
    "EDITOR=nano agent-worker agent edit alice",
    "agent-worker agent edit alice --model anthropic/claude-opus-4-1",
  ],

  async run(invocation) {
    const { words, terminal, options } = invocation;
    const name = words[0] ?? "";
    if (options.model !== undefined) return editModel(invocation, name, options.model);
    const draft = await openAgentDraft(invocation.projectDir(), name);
    if (draft.resumed) terminal.note("Going on with the draft that was kept.\n");
    const exit = await openEditor(terminal, draft.path);
    if (exit !== 0) {
      terminal.note(`Error: the editor ended with ${exit}. What you wrote is kept in ${draft.path}\n`);
      return EXIT.failed;
    }
    const changed = await draft.publish();
    if (changed) {
      const { acceptEdit } = await import("../../../daemon/trust/accept.ts");
      await acceptEdit(homeFolder(terminal.env), invocation.projectDir(), name, draft.before);
    }
    const { file } = draft;
    return invocation.print(
      { name, file, changed },
      changed ? `Changed ${file}.\n` : `Nothing was changed in ${file}.\n`,
    );
  },
});

async function editModel(
  invocation: Pick<Invocation, "client" | "print">,
  name: string,
  model: string,
): Promise<number> {
  if (model.trim() === "") throw new UsageError("--model needs a model.");
  const { changeModel } = await import("../../definitions/change-model.ts");
  const result = await changeModel(await invocation.client(), name, model.trim());
  if (!result.ok) throw new Refused(result.error);
  const { file, before, changed } = result.value;
  return invocation.print(
    { name, file, changed, model: model.trim(), before },
    changed
      ? `${name} uses ${model.trim()} from its next run on, as ${file} says now.\n`
      : `${name} uses ${model.trim()} already.\n`,
  );
}
