import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reasonOf, type Git, type GitFolder } from "./safe-git.ts";

/** Asks git with a copy of the index. Throws when git fails. */
type AskWithIndex = (
  args: readonly string[],
  more?: { readonly input?: string; readonly env?: Readonly<Record<string, string>> },
) => Promise<string>;

export interface IndexCopy extends Disposable {
  readonly ask: AskWithIndex;
  /** The paths that were new, changed or deleted. The copy has them as they are now. */
  readonly paths: readonly string[];
  /** The copy becomes the index of the repository, in one step and without a lock that could stay behind. */
  keep(): void;
}

/**
 * Puts the files as they are now into a copy of the index: the repository itself stays as it is. Ignored files, nested
 * repositories and submodules stay out. `fresh`: begin with the last commit, not with the index.
 */
export async function copyIndex(git: Git, repository: GitFolder, { fresh = false } = {}): Promise<IndexCopy> {
  const folder = mkdtempSync(join(tmpdir(), "agent-worker-index-"));
  const copy = join(folder, "index");
  const own = join(repository.gitDir, "index");
  const ask: AskWithIndex = async (args, { input, env } = {}) => {
    const call = { env: { ...env, GIT_INDEX_FILE: copy }, ...(input === undefined ? {} : { input }) };
    const result = await git(repository, args, call);
    if (result.code === 0) return result.output;
    throw new Error(`git ${args[0]} failed: ${reasonOf(result)}`);
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    // A copy knows which files are as they were; without it, git reads them all.
    if (!fresh && existsSync(own)) copyWithAge(own, copy);
    else await ask(["read-tree", "HEAD"]);
    const paths = await changedPaths(ask);
    const input = paths.map((path) => `${path}\0`).join("");
    if (paths.length > 0) await ask(["update-index", "-z", "--add", "--remove", "--stdin"], { input });
    return {
      ask,
      paths,
      keep: () => {
        const beside = join(repository.gitDir, "index.agent-worker");
        copyWithAge(copy, beside);
        renameSync(beside, own);
      },
      [Symbol.dispose]: remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Git takes a file that has its old length and second for unchanged only when the index is younger than that second. So
 * a copy must not be younger than what it was copied from: then git reads such a file.
 */
function copyWithAge(from: string, to: string): void {
  const seconds = Math.floor(statSync(from).mtimeMs / 1000);
  copyFileSync(from, to);
  utimesSync(to, seconds, seconds);
}

/** Asking git runs nothing in a nested repository, unlike `git add` and `git status`. */
async function changedPaths(ask: AskWithIndex): Promise<readonly string[]> {
  const listed = await ask(["ls-files", "-z", "--others", "--modified", "--deleted", "--exclude-standard"]);
  const modules = new Set(
    (await ask(["ls-files", "-z", "--stage"]))
      .split("\0")
      .filter((line) => line.startsWith("160000 "))
      .map((line) => line.slice(line.indexOf("\t") + 1)),
  );
  return [...new Set(listed.split("\0"))].filter((path) => path !== "" && !path.endsWith("/") && !modules.has(path));
}
