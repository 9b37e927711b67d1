import { join, posix } from "node:path";
import { PRIVATE_NAMES, type PathPrivacy } from "../../domain/agent/private-paths.ts";
import { findProjectGit, type ProjectGitFolder } from "./find-project-git.ts";
import { readGitArguments, type ReadArguments } from "./git-arguments.ts";
import { createGit, reasonOf, type Git, type GitOptions } from "./safe-git.ts";

/**
 * The git of the virtual shell: `diff`, `log`, `show`, `status` and `blame` on the real repository of the project. Only
 * known options are passed on, what is private is left out, and no program of the repository is started.
 */
export type ReadOnlyGit = (args: readonly string[], place: GitPlace) => Promise<ShellResult>;

export interface GitPlace {
  /** The working directory, relative to the project; an absolute path is outside of it. */
  readonly folder: string;
  readonly privacy: PathPrivacy;
  readonly signal?: AbortSignal;
}

export interface ShellResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** For lists of names. */
const PRIVATE_PATHS = PRIVATE_NAMES.flatMap((name) => [
  `:(top,exclude,icase,glob)**/${name}`,
  `:(top,exclude,icase,glob)**/${name}/**`,
]);
const MAX_CHARS = 256 * 1024;
/** More private files than this are not left out one by one. */
const MAX_LEFT_OUT = 500;

export function createReadOnlyGit(options: GitOptions & { readonly projectDir: string }): ReadOnlyGit {
  const git = createGit(options);
  const { projectDir } = options;
  return async (args, { folder, privacy, signal }) => {
    if (folder.startsWith("/")) return failed(`git works only in the project.`);
    const repository = findProjectGit(projectDir);
    if (repository === undefined) return failed("fatal: not a git repository");
    const read = await readGitArguments(args, (word) => isRevision(git, repository, word));
    if ("refused" in read) return failed(read.refused);
    const cwd = join(projectDir, folder);
    const inProject = (path: string): string => posix.normalize(posix.join(folder, path));
    const hidden = [...read.paths, ...read.objects].find((path) => privacy(inProject(path)) !== null);
    const outside = [...read.paths, ...read.objects].find((path) => inProject(path).startsWith("../"));
    if (outside !== undefined) return failed(`${outside} is not in the project.`);
    if (hidden !== undefined) return failed(`${hidden} is private.`);
    const unsafe = await refuseObjects(git, repository, read.revisions);
    if (unsafe !== null) return failed(unsafe);
    const paths = await visiblePaths(git, repository, read, { cwd, projectDir, privacy });
    if (paths === null) return failed("Too many private files changed there; name the files you want to see.");
    const result = await git(repository, [...read.command, ...paths], {
      cwd,
      maxChars: MAX_CHARS,
      ...(signal === undefined ? {} : { signal }),
    });
    const note = result.cut ? "\n[the rest is left out; name files, or use --stat or -n]\n" : "";
    return {
      stdout: result.output + note,
      stderr: result.code === 0 ? "" : `${reasonOf(result)}\n`,
      exitCode: result.code,
    };
  };
}

/** As git decides it: a word that names a revision is one, and any other is a path. */
async function isRevision(git: Git, repository: ProjectGitFolder, word: string): Promise<boolean> {
  const parts = word.split(/\.{2,3}/u).filter((each) => each !== "");
  for (const part of parts) if ((await git(repository, ["cat-file", "-t", part])).code !== 0) return false;
  return parts.length > 0;
}

/** Only commits and tags are named alone: a file by its id would pass by the rules for private paths. */
async function refuseObjects(
  git: Git,
  repository: ProjectGitFolder,
  revisions: readonly string[],
): Promise<string | null> {
  for (const range of revisions) {
    for (const revision of range.split(/\.{2,3}/u).filter((each) => each !== "")) {
      const kind = (await git(repository, ["cat-file", "-t", revision])).output.trim();
      if (kind !== "commit" && kind !== "tag") return `${revision} is a ${kind}; name a commit, or COMMIT:PATH.`;
    }
  }
  return null;
}

/** Returns the paths for the command: those that were named, without what is private. Null when that is too much. */
async function visiblePaths(
  git: Git,
  repository: ProjectGitFolder,
  read: ReadArguments,
  { cwd, projectDir, privacy }: { cwd: string; projectDir: string; privacy: PathPrivacy },
): Promise<readonly string[] | null> {
  if (read.command[0] === "status") return ["--", ...(read.paths.length === 0 ? ["."] : read.paths), ...PRIVATE_PATHS];
  if (read.listing === null) return read.paths.length === 0 ? [] : ["--", ...read.paths];
  const named = read.paths.length === 0 ? [posix.relative(cwd, projectDir) || "."] : read.paths;
  const listed = await git(repository, [...read.listing, "--", ...named], { cwd });
  const prefix = repository.prefix === "" ? "" : `${repository.prefix}/`;
  const names = [...new Set(listed.output.split("\0").map((name) => name.replace(/^\n+/u, "")))];
  const hidden = names.filter((name) => {
    const inProject = name.startsWith(prefix) ? name.slice(prefix.length) : name;
    return name !== "" && privacy(inProject) !== null;
  });
  if (hidden.length > MAX_LEFT_OUT) return null;
  return ["--", ...named, ...hidden.map((name) => `:(top,exclude,literal)${name}`)];
}

function failed(message: string): ShellResult {
  return { stdout: "", stderr: `${message}\n`, exitCode: 1 };
}
