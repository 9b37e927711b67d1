import type { OperationOutput } from "../../../contract/operations.ts";
import { EXIT } from "../../../contract/service/errors.ts";
import { defineCommand } from "../../command.ts";
import { worktreeText } from "../../output/diff-text.ts";
import { Refused } from "../../refused.ts";
import { onlyWorktree } from "./only-worktree.ts";

const MOST_NAMED = 5;

export const discard = defineCommand({
  about: [
    "Removes the worktree of an agent or a workspace, with its branch. Asks first, and says how to get it back: what was not",
    "committed is committed before. What git ignores is in no commit: it is named first, and is gone afterwards.",
  ].join("\n"),
  words: ["[TARGET]"],
  options: { yes: { short: "y", about: "Do not ask" } },
  examples: ["agent-worker discard alice@fix", "agent-worker discard @fix --yes"],

  async run(invocation) {
    const { options, terminal } = invocation;
    const target = await onlyWorktree(invocation);
    if (!options.yes) {
      const shown = await invocation.call("show-diff", { target });
      const gone = shown.unkept.length === 0 ? "" : ` Gone for good: ${named(shown.unkept)}, which git ignores.`;
      if (!terminal.interactive) {
        throw new Refused({
          code: "conflict",
          message: `Discarding ${shown.target} needs a yes, and nobody is here to ask.${gone}`,
          hint: `Say so with: agent-worker discard ${shown.target} --yes`,
        });
      }
      const what =
        shown.filesChanged + shown.commits === 0
          ? `Discard ${shown.branch ?? shown.target}? It has nothing that the project does not have.`
          : `Discard ${worktreeText(shown)}?`;
      if (!(await terminal.confirm(`${what}${gone}`))) {
        terminal.note("Nothing was discarded.\n");
        return EXIT.refused;
      }
    }
    const discarded = await invocation.call("discard-worktree", { target });
    return invocation.print(discarded, discardedText(discarded));
  },
});

function discardedText(discarded: OperationOutput<"discard-worktree">): string {
  const { branch, commit, commits, uncommitted, unkept } = discarded;
  const also = uncommitted === 0 ? "" : ", with what was not committed yet";
  const back =
    commit === null || commits + uncommitted === 0
      ? "It had nothing that the project does not have."
      : `To get it back${also}: git branch ${branch ?? "NAME"} ${commit.slice(0, 12)}`;
  const gone = unkept.length === 0 ? "" : `Gone for good, because git ignores it: ${named(unkept)}\n`;
  return `Discarded ${branch ?? discarded.target}. ${back}\n${gone}`;
}

function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return `${paths.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
