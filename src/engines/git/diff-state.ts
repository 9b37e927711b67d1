import type { ChangedFile, DiffStat } from "../../ports/worktrees.ts";
import { copyIndex } from "./index-copy.ts";
import { reasonOf, type Git, type GitFolder } from "./safe-git.ts";

/** Options of every diff: no program of the repository is started. */
const DIFF_OPTIONS: readonly string[] = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];

/** The longest diff that is returned. */
const MAX_DIFF_CHARS = 400_000;

export interface Diff {
  readonly changed: readonly ChangedFile[];
  readonly diff: string;
  readonly cut: boolean;
}

/** Returns what differs between two commits or trees. */
export async function diffOf(git: Git, repository: GitFolder, from: string, to: string): Promise<Diff> {
  const changed = await changedBetween(git, repository, from, to);
  const text = await git(repository, ["diff", ...DIFF_OPTIONS, "--find-renames", from, to], {
    maxChars: MAX_DIFF_CHARS,
  });
  if (text.code !== 0) throw new Error(`git diff failed: ${reasonOf(text)}`);
  return { changed, diff: text.output, cut: text.cut };
}

export async function changedBetween(
  git: Git,
  repository: GitFolder,
  from: string,
  to: string,
): Promise<readonly ChangedFile[]> {
  const numbers = await git(repository, ["diff", ...DIFF_OPTIONS, "--no-renames", "--numstat", "-z", from, to]);
  if (numbers.code !== 0) throw new Error(`git diff failed: ${reasonOf(numbers)}`);
  return numbers.output.split("\0").flatMap((line) => {
    const [, added = "", removed = "", path = ""] = /^(\d+|-)\t(\d+|-)\t(.+)$/su.exec(line) ?? [];
    if (path === "") return [];
    const count = (written: string): number | null => (written === "-" ? null : Number(written));
    return [{ path, insertions: count(added), deletions: count(removed) }];
  });
}

export function statOf(changed: readonly ChangedFile[]): DiffStat {
  const sum = (of: (file: ChangedFile) => number | null): number =>
    changed.reduce((all, file) => all + (of(file) ?? 0), 0);
  return {
    files: changed.length,
    insertions: sum(({ insertions }) => insertions),
    deletions: sum(({ deletions }) => deletions),
  };
}

/** Returns the id of a tree with the files as they are now, and how many are not committed. Commits nothing. */
export async function currentTree(
  git: Git,
  repository: GitFolder,
): Promise<{ readonly tree: string; readonly uncommitted: number }> {
  using index = await copyIndex(git, repository);
  return { tree: (await index.ask(["write-tree"])).trim(), uncommitted: index.paths.length };
}
