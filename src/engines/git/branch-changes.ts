import { checkBranchName } from "../../domain/worktree/worktree.ts";
import { refuse, type Refusal } from "../../kernel/refusal.ts";
import { ok, type Result } from "../../kernel/result.ts";
import type { BranchChanges } from "../../ports/worktrees.ts";
import { currentTree, diffOf, statOf } from "./diff-state.ts";
import { reasonOf, type Git, type GitFolder } from "./safe-git.ts";

const MAIN_BRANCHES = ["origin/main", "main", "origin/master", "master", "trunk", "develop"];

/** Returns what a branch changes, compared with where it left its base. */
export async function branchChanges(
  git: Git,
  repository: GitFolder,
  options: { readonly branch?: string | undefined; readonly base?: string | undefined },
): Promise<Result<BranchChanges, Refusal>> {
  const head = await git(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  if (head.code !== 0) return refuse("not_found", "The repository has no commit yet.", { hint: "Make one first." });
  const named = (await git(repository, ["symbolic-ref", "--short", "--quiet", "HEAD"])).output.trim();
  const current = named || "HEAD";
  const branch = options.branch ?? current;
  const tip = await commitOf(git, repository, branch, "branch");
  if (!tip.ok) return tip;
  const base = options.base ?? (await mainBranch(git, repository, branch));
  if (base === undefined) {
    return refuse("invalid", "It is not clear with what to compare: there is no main branch.", {
      hint: "Name it: --base BRANCH",
    });
  }
  const other = await commitOf(git, repository, base, "base");
  if (!other.ok) return other;
  const fork = await git(repository, ["merge-base", other.value, tip.value]);
  if (fork.code !== 0) {
    return refuse("invalid", `${branch} and ${base} have no commit in common.`, { hint: "Name another base: --base" });
  }
  // What is checked out is compared as it is, with what is not committed.
  const to = options.branch === undefined ? (await currentTree(git, repository)).tree : tip.value;
  const diff = await diffOf(git, repository, fork.output.trim(), to);
  return ok({ branch, base, stat: statOf(diff.changed), ...diff });
}

/** The branch that the remote calls its main one, or one with a usual name. Another one than the branch itself, if there is. */
async function mainBranch(git: Git, repository: GitFolder, branch: string): Promise<string | undefined> {
  const remote = await git(repository, ["symbolic-ref", "--short", "--quiet", "refs/remotes/origin/HEAD"]);
  const candidates = [...(remote.code === 0 ? [remote.output.trim()] : []), ...MAIN_BRANCHES];
  const existing: string[] = [];
  for (const name of candidates) {
    if ((await git(repository, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`])).code === 0)
      existing.push(name);
  }
  return existing.find((name) => name !== branch) ?? existing[0];
}

async function commitOf(
  git: Git,
  repository: GitFolder,
  name: string,
  what: "branch" | "base",
): Promise<Result<string, Refusal>> {
  const plain = name === "HEAD" ? ok(name) : checkBranchName(name);
  if (!plain.ok) return plain;
  const found = await git(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  if (found.code === 0) return ok(found.output.trim());
  const remote = await git(repository, ["rev-parse", "--verify", "--quiet", `refs/remotes/origin/${name}^{commit}`]);
  if (remote.code === 0) return ok(remote.output.trim());
  return refuse("not_found", `There is no ${what} "${name}" here. ${reasonOf(found)}`.trim(), {
    hint: "List the branches: git branch --all",
  });
}
