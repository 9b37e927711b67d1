import type { Environment } from "../../engines/shared/environment.ts";
import { findProjectGit } from "../../engines/git/find-project-git.ts";
import { createGit } from "../../engines/git/safe-git.ts";
import type { Clock } from "../../kernel/clock.ts";

/** Returns whether a folder is in a git repository with a commit: there, agents can have worktrees. */
export async function hasCommits({
  env,
  clock,
  dir,
}: {
  readonly env: Environment;
  readonly clock: Clock;
  readonly dir: string;
}): Promise<boolean> {
  const repository = findProjectGit(dir);
  if (repository === undefined) return false;
  const { code } = await createGit({ clock, env })(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  return code === 0;
}
