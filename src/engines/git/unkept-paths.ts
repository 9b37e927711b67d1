import type { Git, GitFolder } from "./safe-git.ts";

/**
 * Returns what is in a worktree and in no commit, whatever is committed: files and folders that git ignores, and other
 * repositories. Folders end in a slash. Nothing of them is left when the worktree is removed.
 */
export async function unkeptPaths(git: Git, worktree: GitFolder): Promise<readonly string[]> {
  const list = async (...args: readonly string[]): Promise<string[]> => {
    const listed = await git(worktree, ["ls-files", "-z", "--others", "--exclude-standard", ...args]);
    return listed.output.split("\0").filter((path) => path !== "");
  };
  const ignored = await list("--ignored", "--directory");
  const repositories = (await list()).filter((path) => path.endsWith("/"));
  return [...new Set([...ignored, ...repositories])].toSorted();
}
