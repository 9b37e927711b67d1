import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { worktreeText } from "../../output/diff-text.ts";
import { Refused } from "../../refused.ts";
import { onlyWorktree } from "./only-worktree.ts";

export const discard = defineCommand({
  about: "Removes the worktree of an agent or a workspace, with its branch. Asks first, and says how to get it back.",
  words: ["[TARGET]"],
  options: { yes: { short: "y", about: "Do not ask" } },
  examples: ["agent-worker discard alice@fix", "agent-worker discard @fix --yes"],

  async run(invocation) {
    const { options, terminal } = invocation;
    const target = await onlyWorktree(invocation);
    if (!options.yes) {
      const shown = await invocation.call("show-diff", { target });
      if (!terminal.interactive) {
        throw new Refused({
          code: "conflict",
          message: `Discarding ${shown.target} needs a yes, and nobody is here to ask.`,
          hint: `Say so with: agent-worker discard ${shown.target} --yes`,
        });
      }
      if (!(await terminal.confirm(`Discard ${worktreeText(shown)}?`))) {
        terminal.note("Nothing was discarded.\n");
        return EXIT.refused;
      }
    }
    const discarded = await invocation.call("discard-worktree", { target });
    const { branch, commit } = discarded;
    const back =
      branch === null || commit === null ? "" : ` To get it back: git branch ${branch} ${commit.slice(0, 12)}`;
    return invocation.print(discarded, `Discarded ${branch ?? discarded.target}.${back}\n`);
  },
});
