import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { ApplyOutcome, Conflict } from "../../ports/worktrees.ts";
import { changedBetween } from "./diff-state.ts";
import { copyIndex } from "./index-copy.ts";
import { conflictParts, conflictsBetween, markerName } from "./merge-trees.ts";
import { reasonOf, type Git, type GitFolder } from "./safe-git.ts";
import { mergedCommit, NOBODY } from "./worktree-commit.ts";

export interface ApplyOptions {
  readonly leaveConflicts: boolean;
  readonly withProtected: boolean;
}

const MAX_CONFLICTS = 20;
const MAX_NAMED = 5;

/**
 * Merges a branch into the checked out branch of the project. The merge is made without touching a file; only a merge
 * without conflicts reaches the folder, and git itself refuses to overwrite what is not committed.
 */
export async function applyBranch(
  git: Git,
  project: GitFolder,
  { branch, commit }: { readonly branch: string; readonly commit: string },
  options: ApplyOptions,
): Promise<Result<ApplyOutcome, Refusal>> {
  if (mergedCommit(project) !== undefined) {
    return refuse("conflict", "Nothing was applied: a merge in the project is not finished.", {
      hint: "Finish it: resolve its conflicts, then git add and git commit. Or go back: git merge --abort",
    });
  }
  const ask = async (...args: readonly string[]): Promise<string> => (await git(project, args)).output.trim();
  const head = await ask("rev-parse", "--verify", "HEAD");
  if ((await git(project, ["merge-base", "--is-ancestor", commit, head])).code === 0) return ok({ kind: "nothing" });
  const own = (await ask("symbolic-ref", "--short", "--quiet", "HEAD")) || "HEAD";
  const [ours, theirs] = [await markerName(git, project, head, own), await markerName(git, project, commit, branch)];
  const { tree, paths } = await conflictsBetween(git, project, ours, theirs);
  const changed = await changedBetween(git, project, head, tree);
  const names = changed.map(({ path }) => path);
  const refused =
    refuseProtected(names, options) ??
    (await refuseFiltered(git, project, names, branch)) ??
    (await refuseChanged(git, project, names));
  if (refused !== undefined) return refused;
  if (paths.length > 0) return keepConflicts(git, project, { branch, commit, tree, paths }, options);

  const isForward = (await git(project, ["merge-base", "--is-ancestor", head, commit])).code === 0;
  const merged = isForward ? commit : await commitMerge(git, project, { tree, head, commit, branch });
  const moved = await git(project, ["merge", "--ff-only", "--no-overwrite-ignore", "--quiet", merged]);
  if (moved.code !== 0) {
    return refuse("conflict", `Nothing was applied: ${reasonOf(moved)}.`, {
      hint: "Commit it, or move it away: git stash does not take files that git ignores.",
    });
  }
  return ok({ kind: "applied", commit: merged, changed });
}

/** Begins a merge in a folder and leaves its conflicts there. Returns the paths that have some; none: it is not committed yet. */
export async function mergeInto(
  git: Git,
  repository: GitFolder,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<Result<readonly string[], Refusal>> {
  const { paths } = await conflictsBetween(git, repository, "HEAD", commit);
  const theirs = await markerName(git, repository, commit, branch);
  const merged = await git(repository, ["merge", "--no-ff", "--no-commit", "--quiet", theirs], { env: NOBODY });
  if (merged.code === 0 || mergedCommit(repository) !== undefined) return ok(paths);
  return refuse("conflict", `The merge could not begin: ${reasonOf(merged)}.`, {
    hint: "Commit what is not committed there, or put it aside with git stash.",
  });
}

async function keepConflicts(
  git: Git,
  project: GitFolder,
  { commit, branch, tree, paths }: { commit: string; branch: string; tree: string; paths: readonly string[] },
  { leaveConflicts }: ApplyOptions,
): Promise<Result<ApplyOutcome, Refusal>> {
  const conflicts: Conflict[] = [];
  for (const path of paths.slice(0, MAX_CONFLICTS)) {
    const file = await git(project, ["cat-file", "blob", `${tree}:${path}`]);
    conflicts.push({ path, text: file.output.includes("\0") ? "" : conflictParts(file.output) });
  }
  conflicts.push(...paths.slice(MAX_CONFLICTS).map((path) => ({ path, text: "" })));
  if (!leaveConflicts) return ok({ kind: "conflicts", conflicts, left: false });
  const begun = await mergeInto(git, project, { branch, commit });
  return begun.ok ? ok({ kind: "conflicts", conflicts, left: true }) : begun;
}

async function commitMerge(
  git: Git,
  project: GitFolder,
  { tree, head, commit, branch }: { tree: string; head: string; commit: string; branch: string },
): Promise<string> {
  // The person who applies it made the merge. Without a name in the settings of git, nobody is named.
  const isNamed = (await git(project, ["var", "GIT_COMMITTER_IDENT"])).code === 0;
  const made = await git(project, ["commit-tree", tree, "-p", head, "-p", commit, "-F", "-"], {
    input: `Merge ${branch}\n`,
    env: isNamed ? {} : NOBODY,
  });
  if (made.code !== 0) throw new Error(`git commit-tree failed: ${reasonOf(made)}`);
  return made.output.trim();
}

type Refused = ReturnType<typeof refuse> | undefined;

function refuseProtected(names: readonly string[], { withProtected }: ApplyOptions): Refused {
  const kept = names.filter((name) => whyOnlyPeopleWrite(name) !== null);
  const [first] = kept;
  if (first === undefined || withProtected) return undefined;
  return refuse("conflict", `Nothing was applied: it changes ${listed(kept)}. ${first}: ${whyOnlyPeopleWrite(first)}`, {
    hint: "Look at the diff. To apply these changes, too: add --protected",
    details: { protected: kept },
  });
}

/** Filters are programs, which are not started here. Git would show their files as changed afterwards. */
async function refuseFiltered(
  git: Git,
  project: GitFolder,
  names: readonly string[],
  branch: string,
): Promise<Refused> {
  const found = await git(project, ["check-attr", "-z", "--stdin", "filter"], {
    input: names.map((name) => `${name}\0`).join(""),
  });
  const values = found.output.split("\0");
  const at = values.findIndex((value, index) => index % 3 === 2 && !/^(?:unspecified|unset|set)$/u.test(value));
  if (at === -1) return undefined;
  return refuse("conflict", `Nothing was applied: ${values[at - 2]} needs the filter "${values[at]}" of git.`, {
    hint: `The daemon starts no filter of a repository. Merge it yourself: git merge ${branch}`,
  });
}

async function refuseChanged(git: Git, project: GitFolder, names: readonly string[]): Promise<Refused> {
  using index = await copyIndex(git, project);
  const staged = (await index.ask(["diff", "--cached", "--name-only", "-z", "--no-renames", "HEAD"])).split("\0");
  const dirty = new Set([...index.paths, ...staged]);
  const touched = names.filter((name) => dirty.has(name));
  if (touched.length === 0) return undefined;
  return refuse(
    "conflict",
    `Nothing was applied: in the project there are changes that are not committed: ${listed(touched)}.`,
    {
      hint: "Commit them, or put them aside, also files that are new to git: git stash --include-untracked",
      details: { changed: touched },
    },
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
