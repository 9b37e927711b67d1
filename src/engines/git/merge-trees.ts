import { reasonOf, type Git, type GitFolder } from "./safe-git.ts";

/** What a merge of two commits would be. No file is touched. */
export interface MergedTrees {
  /** Id of the merged tree. Files with conflicts have markers in it. */
  readonly tree: string;
  /** Paths with conflicts. */
  readonly paths: readonly string[];
}

/** Throws when git fails; older versions than 2.38 do. The markers have the two names as they are given. */
export async function conflictsBetween(
  git: Git,
  repository: GitFolder,
  ours: string,
  theirs: string,
): Promise<MergedTrees> {
  const merged = await git(repository, ["merge-tree", "--write-tree", "--name-only", "-z", ours, theirs]);
  if (merged.code !== 0 && merged.code !== 1) {
    throw new Error(`git merge-tree failed, which needs git 2.38 or newer: ${reasonOf(merged)}`);
  }
  const [head = ""] = merged.output.split("\0\0");
  const [tree = "", ...paths] = head.split("\0");
  return { tree: tree.trim(), paths: merged.code === 0 ? [] : [...new Set(paths.filter((path) => path !== ""))] };
}

/**
 * Returns how git is told a commit, so that its markers say what people know: the name of the branch, if it is the commit
 * and nothing else has the name; otherwise the id.
 */
export async function markerName(git: Git, repository: GitFolder, commit: string, branch: string): Promise<string> {
  const named = await git(repository, ["rev-parse", "--verify", "--quiet", `${branch}^{commit}`]);
  return named.code === 0 && named.output.trim() === commit ? branch : commit;
}

const CONTEXT_LINES = 2;
const MAX_CHARS = 16 * 1024;

/** Returns the parts of a file that have conflicts, with a few lines around them. */
export function conflictParts(text: string): string {
  const lines = text.split("\n");
  const shown = new Set<number>();
  let begun: number | undefined;
  for (const [number, line] of lines.entries()) {
    if (line.startsWith("<<<<<<< ")) begun = number;
    if (begun === undefined || !line.startsWith(">>>>>>> ")) continue;
    for (let at = begun - CONTEXT_LINES; at <= number + CONTEXT_LINES; at += 1) shown.add(at);
    begun = undefined;
  }
  if (shown.size === 0) return "";
  const parts: string[] = [];
  for (const [number, line] of lines.entries()) {
    if (!shown.has(number)) continue;
    if (number > 0 && !shown.has(number - 1)) parts.push(`@@ line ${number + 1} @@`);
    parts.push(line);
  }
  return parts.join("\n").slice(0, MAX_CHARS);
}
