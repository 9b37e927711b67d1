import type { Client } from "../../client/client.ts";
import { worktreeText } from "./diff-text.ts";

/**
 * Returns what the work in a space left on branches, for its summary: one line for each worktree that has changes, with its
 * branch, what was changed, and what to type next. None when nothing changed.
 */
export async function worktreeLines(client: Pick<Client, "call">, space: string): Promise<readonly string[]> {
  const listed = await client.call("list-worktrees", {});
  if (!listed.ok) return [];
  return listed.value.worktrees
    .filter((worktree) => worktree.filesChanged > 0)
    .filter((worktree) => (worktree.space === null ? worktree.agent === space : worktree.space === space))
    .map(
      (worktree) =>
        `${worktreeText(worktree)}. See it: agent-worker diff ${worktree.target}. Take it over: agent-worker apply ${worktree.target}`,
    );
}
