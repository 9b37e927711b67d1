import type { WorktreeView } from "../../contract/git/worktrees.ts";
import { formatSpace } from "../../domain/message/space.ts";
import { worktreeTarget, type WorktreePlace } from "../../domain/worktree/worktree.ts";
import type { WorktreeState } from "../../ports/worktrees.ts";

export function toWorktreeView(state: WorktreeState): WorktreeView {
  const { place, stat, branch, commit, commits, uncommitted, inUse } = state;
  return {
    target: worktreeTarget(place),
    space: spaceOfWorktree(place),
    agent: place.agent,
    branch,
    commit,
    commits,
    filesChanged: stat.files,
    insertions: stat.insertions,
    deletions: stat.deletions,
    uncommitted,
    inUse,
  };
}

export function spaceOfWorktree({ workspace }: WorktreePlace): string | null {
  return workspace === null ? null : formatSpace({ kind: "workspace", ...workspace });
}
