import { homeFolder } from "../../../client/home.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { openAgentDraft } from "./agent-draft.ts";
import { openEditor } from "./editor.ts";

export const editAgent = defineCommand({
  about: [
    "Opens the definition of an agent in $VISUAL or $EDITOR. A file with mistakes is not taken over: they are shown, and",
    "what you wrote is kept as a draft, which the next edit goes on with.",
  ].join("\n"),
  words: ["NAME"],
  examples: ["agent-worker agent edit alice", "EDITOR=nano agent-worker agent edit alice"],

  async run(invocation) {
    const { words, terminal } = invocation;
    const name = words[0] ?? "";
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
