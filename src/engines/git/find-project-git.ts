import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { GitFolder } from "./safe-git.ts";

/** The repository that a project is in, and where the project is in it. */
export interface ProjectGitFolder extends GitFolder {
  /** The folder that all worktrees of the repository share. */
  readonly commonDir: string;
  /** Relative to the top, with slashes; empty for the top itself. */
  readonly prefix: string;
}

/** Returns the repository that contains the folder; undefined when there is none. Nothing is asked of git. */
export function findProjectGit(folder: string): ProjectGitFolder | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const gitDir = gitDirOf(join(top, ".git"));
    if (gitDir !== undefined) {
      return { top, gitDir, commonDir: commonDirOf(gitDir), prefix: relative(top, folder).split("\\").join("/") };
    }
    if (dirname(top) === top) return undefined;
  }
}

/**
 * Returns a worktree of the repository by its folder. Its own `.git` file is not asked: agents can write it, and it could
 * lead to settings that git obeys.
 */
export function findWorktree({ commonDir }: ProjectGitFolder, folder: string): GitFolder | undefined {
  const entries = join(commonDir, "worktrees");
  for (const name of namesIn(entries)) {
    const written = readLine(join(entries, name, "gitdir"));
    if (written === join(folder, ".git")) return { top: folder, gitDir: join(entries, name) };
  }
  return undefined;
}

/** A `.git` is a folder, or a file that names one. */
function gitDirOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return readLine(join(path, "HEAD")) === undefined ? undefined : path;
  const [, named] = /^gitdir: (.+)$/u.exec(readLine(path) ?? "") ?? [];
  return named === undefined ? undefined : resolve(dirname(path), named);
}

function commonDirOf(gitDir: string): string {
  const named = readLine(join(gitDir, "commondir"));
  return named === undefined ? gitDir : resolve(gitDir, named);
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
