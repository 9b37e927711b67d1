import { useOperation } from "../state/page-context.ts";
import { worktreesOf, worktreeText } from "../text/worktree-text.ts";

/** One line for each branch on which agents changed something in this space, with the command that shows it. */
export function WorktreeLines({ space }: { readonly space: string }) {
  const listed = useOperation("list-worktrees", {}, ["runs"]);
  if (listed?.ok !== true) return null;
  return worktreesOf(listed.value.worktrees, space).map((worktree) => (
    <p key={worktree.target} class="dim" aria-label="Branch">
      {worktreeText(worktree)} <code>agent-worker diff {worktree.target}</code>
    </p>
  ));
}
