import type { WorktreeView } from "../../../src/contract/git/worktrees.ts";

/** Returns the worktrees of a space that have changes: those of a workspace, or that of an agent in its direct messages. */
export function worktreesOf(worktrees: readonly WorktreeView[], space: string): readonly WorktreeView[] {
  return worktrees.filter(
    (worktree) =>
      worktree.filesChanged > 0 && (worktree.space === null ? worktree.agent === space : worktree.space === space),
  );
}

/** `agent-worker/fix/main/ann: 3 files changed, +10 -2` */
export function worktreeText({ branch, filesChanged, insertions, deletions }: WorktreeView): string {
  const files = `${filesChanged} file${filesChanged === 1 ? "" : "s"} changed`;
  return `${branch ?? "without a branch"}: ${files}, +${insertions} -${deletions}`;
}
