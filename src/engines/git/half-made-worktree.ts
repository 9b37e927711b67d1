import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findWorktree, type ProjectGitFolder } from "./find-project-git.ts";
import type { GitFolder } from "./safe-git.ts";

/** What git writes into the lock of a worktree as long as it makes it. */
const BEING_MADE = "initializing";

/**
 * Returns the worktree in this folder; undefined when there is none. What a git that was killed has left of one is removed:
 * it wrote no index yet, so nobody has worked in it. One that only stayed locked is unlocked, because git would never
 * forget it. Not to be called while git makes one.
 */
export function findWholeWorktree(project: ProjectGitFolder, folder: string): GitFolder | undefined {
  const worktree = findWorktree(project, folder);
  if (worktree === undefined) {
    removeEmpty(folder);
    return undefined;
  }
  const lock = join(worktree.gitDir, "locked");
  const isBeingMade = existsSync(lock) && readFileSync(lock, "utf8").trim() === BEING_MADE;
  if (isBeingMade && !existsSync(join(worktree.gitDir, "index"))) {
    rmSync(folder, { recursive: true, force: true });
    rmSync(worktree.gitDir, { recursive: true, force: true });
    return undefined;
  }
  if (isBeingMade) rmSync(lock, { force: true });
  return existsSync(folder) ? worktree : undefined;
}

/** Git makes the folder first. */
function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
