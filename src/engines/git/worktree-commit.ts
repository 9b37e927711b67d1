import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { CommitAuthor } from "../../ports/worktrees.ts";
import { copyIndex } from "./index-copy.ts";
import { conflictsBetween } from "./merge-trees.ts";
import type { Git, GitFolder } from "./safe-git.ts";

/** A reserved address: no mail reaches it. */
const NO_REPLY = "agent-worker.invalid";
const MAX_TITLE = 72;
const MERGE_FILES = ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE"];

/**
 * Commits everything that differs from the last commit of a worktree. It is safe to repeat, and to kill anywhere: the
 * branch moves in one step, only if it is where it was, and a second call finds nothing to commit. Returns the id of the
 * new commit; null when there was nothing, or when a merge still has conflicts. With `withConflicts` these are committed
 * as they are, markers and all. Throws when git fails.
 */
export async function commitWorktree(
  git: Git,
  worktree: GitFolder,
  by: CommitAuthor & { readonly others?: readonly string[] },
  { withConflicts = false } = {},
): Promise<string | null> {
  const merged = mergedCommit(worktree);
  using index = await copyIndex(git, worktree, { fresh: merged !== undefined });
  const { ask } = index;
  const head = (await ask(["rev-parse", "--verify", "HEAD"])).trim();
  if (merged !== undefined && !withConflicts && (await hasMarkers(git, worktree, merged))) return null;
  const tree = (await ask(["write-tree"])).trim();
  if (merged === undefined && tree === (await ask(["rev-parse", "HEAD^{tree}"])).trim()) return null;
  const parents = [head, ...(merged === undefined ? [] : [merged])].flatMap((id) => ["-p", id]);
  const written = { input: messageOf(by), env: identity(by.agent, `${by.agent}@${NO_REPLY}`) };
  const commit = (await ask(["commit-tree", tree, ...parents, "-F", "-"], written)).trim();
  await ask(["update-ref", "-m", `commit: ${by.agent}`, "HEAD", commit, head]);
  for (const name of MERGE_FILES) rmSync(join(worktree.gitDir, name), { force: true });
  index.keep();
  return commit;
}

/** Who is named as the author and committer, for one call of git. */
function identity(name: string, email: string): Record<string, string> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

export const NOBODY = identity("agent-worker", `noreply@${NO_REPLY}`);

/** Returns the commit that is being merged; undefined when none is. */
export function mergedCommit({ gitDir }: GitFolder): string | undefined {
  const file = join(gitDir, "MERGE_HEAD");
  const id = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return /^[0-9a-f]{40,64}$/u.test(id) ? id : undefined;
}

/** Whether a file that had a conflict still has its markers. */
async function hasMarkers(git: Git, worktree: GitFolder, merged: string): Promise<boolean> {
  const { paths } = await conflictsBetween(git, worktree, "HEAD", merged);
  return paths.some((path) => {
    const file = join(worktree.top, path);
    return existsSync(file) && /^<{7} /mu.test(readFileSync(file, "utf8"));
  });
}

function messageOf({ agent, title, run, others = [] }: CommitAuthor & { readonly others?: readonly string[] }): string {
  const line = title.replace(/\s+/gu, " ").trim();
  const short = line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 1)}…` : line;
  return `${short === "" ? `Work of ${agent}` : short}\n\nAgent: ${agent}\nRun: ${run}\n${others
    .map((name) => `Co-authored-by: ${name} <${name}@${NO_REPLY}>\n`)
    .join("")}`;
}
