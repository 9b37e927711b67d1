import { existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { worktreeBranch, type WorktreeChoice, type WorktreePlace } from "../../domain/worktree/worktree.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { findProjectGit, findWorktree, type ProjectGitFolder } from "./find-project-git.ts";
import { findWholeWorktree } from "./half-made-worktree.ts";
import { reasonOf, type Git, type GitFolder, type GitResult } from "./safe-git.ts";
import { currentTree } from "./diff-state.ts";
import { mergedCommit } from "./worktree-commit.ts";

export const WORKTREES_FOLDER = ".workspace/worktrees";

export interface OpenWorktreeParts {
  readonly git: Git;
  /** Absolute. */
  readonly projectDir: string;
  /** Locks of git that are older than this belong to a process that ended. */
  readonly startedAt: number;
  /** An agent works in it already. */
  readonly isInUse: boolean;
}

export interface WorktreeRequest {
  readonly place: WorktreePlace;
  /** Absolute. */
  readonly folder: string;
  readonly choice: Exclude<WorktreeChoice, false>;
}

/**
 * Makes the worktree if it does not exist, and returns it with the folder of the project in it. A worktree without work of
 * its own is moved to what the project has now. Throws an EngineFailure when there can be none.
 */
export async function openWorktree(
  parts: OpenWorktreeParts,
  request: WorktreeRequest,
): Promise<{ readonly worktree: GitFolder; readonly dir: string }> {
  const { git, projectDir } = parts;
  const { folder } = request;
  const project = findProjectGit(projectDir);
  if (project === undefined) throw none("the project is not in a git repository", MAKE_REPOSITORY);
  refuseLinks(projectDir, folder);
  // Otherwise git makes them, with rights for other users.
  mkdirSync(join(projectDir, WORKTREES_FOLDER), { recursive: true, mode: 0o700 });
  const existing = findWholeWorktree(project, folder);
  const worktree = existing ?? (await makeWorktree(git, project, request));
  removeOldLocks(worktree, join(project.commonDir, "refs", "heads", branchOf(request)), parts.startedAt);
  const problem = await nameBranch(git, worktree, branchOf(request));
  if (problem !== null) {
    if (existing === undefined) await git(project, ["worktree", "remove", "--force", folder]);
    throw none(problem, "Remove it, or name another branch.");
  }
  if (!parts.isInUse) await follow(git, worktree, project);
  return { worktree, dir: join(folder, project.prefix) };
}

const MAKE_REPOSITORY = 'Make the project a git repository with a commit, or remove "worktree".';

function branchOf({ choice, place }: WorktreeRequest): string {
  return choice.branch ?? worktreeBranch(place);
}

async function makeWorktree(git: Git, project: ProjectGitFolder, request: WorktreeRequest): Promise<GitFolder> {
  const { folder, choice } = request;
  const branch = branchOf(request);
  if (existsSync(folder)) throw none(`${folder} is not a worktree of the project`, "Move it away.");
  if ((await git(project, ["rev-parse", "--verify", "--quiet", "HEAD"])).code !== 0) {
    throw none("the repository has no commit yet", MAKE_REPOSITORY);
  }
  await git(project, ["worktree", "prune"]);
  const exists = (await git(project, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`])).code === 0;
  if (exists && choice.branch !== undefined) {
    throw none(`the branch ${branch} exists already and is not of this agent`, "Name another branch.");
  }
  // A new branch is made afterwards: a git that is killed between the two would leave one that seems to be somebody else's.
  const made = await git(project, ["worktree", "add", ...(exists ? [folder, branch] : ["--detach", folder, "HEAD"])]);
  if (made.code !== 0) throw none(explain(made, branch), MAKE_REPOSITORY);
  const worktree = findWorktree(project, folder);
  if (worktree === undefined) throw none("git made it elsewhere", MAKE_REPOSITORY);
  return worktree;
}

function explain(result: GitResult, branch: string): string {
  const reason = reasonOf(result);
  if (!/cannot lock ref|cannot be created|unable to create/iu.test(reason)) return reason;
  return `the branch ${branch} cannot be beside another branch of this workspace (${reason}); apply or discard that one`;
}

/**
 * A worktree that was made without a branch gets one, with all that is in it. Returns why it cannot; null when it has one. A
 * branch with the same commit was made by a daemon that was killed before it was done.
 */
async function nameBranch(git: Git, worktree: GitFolder, branch: string): Promise<string | null> {
  if ((await git(worktree, ["symbolic-ref", "--quiet", "HEAD"])).code === 0) return null;
  const ref = `refs/heads/${branch}`;
  const head = (await git(worktree, ["rev-parse", "--verify", "HEAD"])).output.trim();
  const known = (await git(worktree, ["rev-parse", "--verify", "--quiet", ref])).output.trim();
  if (known !== head) {
    const made = await git(worktree, ["update-ref", ref, head, "0".repeat(head.length)]);
    if (made.code !== 0) return explain(made, branch);
  }
  await git(worktree, ["symbolic-ref", "HEAD", ref]);
  return null;
}

async function follow(git: Git, worktree: GitFolder, project: GitFolder): Promise<void> {
  const head = (await git(project, ["rev-parse", "--verify", "HEAD"])).output.trim();
  const own = (await git(worktree, ["rev-parse", "--verify", "HEAD"])).output.trim();
  if (head === own || mergedCommit(worktree) !== undefined) return;
  if ((await git(worktree, ["merge-base", "--is-ancestor", own, head])).code !== 0) return;
  if ((await currentTree(git, worktree)).uncommitted > 0) return;
  await git(worktree, ["merge", "--ff-only", "--quiet", head]);
}

/** A project may come with links, through which an agent would work outside of it. */
function refuseLinks(projectDir: string, folder: string): void {
  const name = folder.slice(join(projectDir, WORKTREES_FOLDER).length + 1);
  let path = "";
  for (const segment of `${WORKTREES_FOLDER}/${name}`.split("/")) {
    path = join(path, segment);
    const stats = lstatSync(join(projectDir, path), { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) continue;
    throw none(`${path} is not a real folder`, "Move it away.");
  }
}

/** A git that was killed leaves its locks behind. */
function removeOldLocks({ gitDir }: GitFolder, branchFile: string, before: number): void {
  for (const file of [join(gitDir, "index"), join(gitDir, "HEAD"), branchFile]) {
    const lock = `${file}.lock`;
    const stats = lstatSync(lock, { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < before) rmSync(lock, { force: true });
  }
}

function none(reason: string, hint: string): EngineFailure {
  return new EngineFailure("permanent", `There is no worktree to work in: ${reason}. ${hint}`);
}
