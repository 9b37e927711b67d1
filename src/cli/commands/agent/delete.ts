import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { countOf } from "../../output/count-of.ts";
import { Refused } from "../../refused.ts";

export const deleteAgent = defineCommand({
  about: [
    "Deletes the definition of an agent and, unless told to keep it, everything it remembers. Asks first.",
    "What it is doing is broken off, and what waits for it is in: agent-worker dead list",
  ].join("\n"),
  words: ["NAME"],
  options: {
    yes: { short: "y", about: "Do not ask" },
    "keep-context": { about: "Keep memory, notes, todos and conversations" },
  },
  examples: ["agent-worker agent delete alice", "agent-worker agent delete alice --yes --keep-context"],

  async run(invocation) {
    const { words, options, terminal } = invocation;
    const name = words[0] ?? "";
    const keepContext = options["keep-context"];
    if (!options.yes) {
      const shown = await (await invocation.client()).call("show-agent", { name });
      // An agent whose file has a mistake can be deleted, too.
      if (!shown.ok && shown.error.code !== "invalid") throw new Refused(shown.error);
      const { context, open } = shown.ok ? shown.value : { context: null, open: {} };
      // It cannot be deleted: the refusal says why, and nothing is asked before it.
      if (shown.ok && shown.value.workspaces.length > 0) await invocation.call("delete-agent", { name, keepContext });
      const waiting = Object.values(open).reduce((sum, count) => sum + count, 0);
      const works = waiting === 0 ? "" : ` It is at work: ${countOf(waiting, "message")} will not be answered.`;
      if (!terminal.interactive) {
        throw new Refused({
          code: "conflict",
          message: `Deleting ${name} needs a yes, and nobody is here to ask.${works}`,
          hint: `Say so with: agent-worker agent delete ${name} --yes`,
        });
      }
      const loses =
        context === null || keepContext
          ? ""
          : ` and its ${context.memory} memories, ${context.notes} notes, ${context.openTodos} open todos`;
      if (!(await terminal.confirm(`Delete ${name}${loses}?${works}`))) {
        terminal.note("Nothing was deleted.\n");
        return EXIT.refused;
      }
    }
    const deleted = await invocation.call("delete-agent", { name, keepContext });
    return invocation.print(deleted, `Deleted ${name}.${deleted.contextKept ? " What it remembered is kept." : ""}\n`);
  },
});
