import { defineCommand } from "../../command.ts";
import { diffText, filesText, worktreeText } from "../../output/diff-text.ts";
import { paintFor } from "../../output/paint.ts";
import { onlyWorktree } from "./only-worktree.ts";

export const diff = defineCommand({
  about: [
    "Shows what agents changed in their git worktree, compared with where its branch left the branch of the project.",
    "TARGET is an agent (alice), an agent in a workspace (alice@review:pr-1), or a workspace whose agents share one (@review).",
  ].join("\n"),
  words: ["[TARGET]"],
  options: { stat: { about: "Only the files, and how many lines changed" } },
  examples: ["agent-worker diff alice@fix", "agent-worker diff @fix:pr-12 --stat"],

  async run(invocation) {
    const target = await onlyWorktree(invocation);
    const shown = await invocation.call("show-diff", { target });
    return invocation.print(shown, () => {
      const paint = paintFor(invocation.terminal);
      const { files, diff: text, cut } = shown;
      const head = `${paint.bold(worktreeText(shown))}\n`;
      if (files.length === 0) return head;
      const rest = cut ? "\n(The diff is longer. See all of it with git, on this branch.)\n" : "";
      const next = invocation.terminal.hint(nextText(shown.target, text));
      const whole = invocation.options.stat ? "" : `\n${diffText(paint, text.trimEnd())}\n${rest}`;
      return `${head}${filesText(paint, files)}${whole}\n${paint.dim(next)}`;
    });
  },
});

/** Conflicts that a merge left in the files are resolved first: `apply` does not take them over. */
function nextText(target: string, diff: string): string {
  if (!/^[+ ]<{7} /mu.test(diff)) return `Take it over: agent-worker apply ${target}\n`;
  return `It has conflicts that are not resolved. Ask for it: agent-worker send ${target} "Resolve the conflicts in the files"\n`;
}
