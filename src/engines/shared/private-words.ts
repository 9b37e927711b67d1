import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { commandsIn } from "../../domain/agent/permission.ts";
import { privatePathIn, type PathPrivacy } from "../../domain/agent/private-paths.ts";
import { isShellPattern, mayMatchName } from "../../domain/agent/shell-pattern.ts";

/** So many paths are looked at for one command. If it names more, a person is asked. */
const MAX_PATHS = 20_000;

export interface PrivateWords {
  /** Where the command runs. Absolute. */
  readonly cwd: string;
  /** What the paths of `privacy` are relative to. Absolute. */
  readonly root: string;
  readonly privacy: PathPrivacy;
}

/**
 * Returns whether a command names what is private, on the real disk: patterns are expanded as a shell does it, links are
 * followed, and a folder that is copied as a whole counts with everything in it.
 */
export function namesPrivatePath(command: string, { cwd, root, privacy }: PrivateWords): boolean {
  const realRoot = realPath(root);
  const budget: Budget = { paths: MAX_PATHS, names: new Map() };
  const pathsOf = (absolute: string): readonly string[] => [
    slashed(relative(root, absolute)),
    slashed(relative(realRoot, realPath(absolute))),
  ];
  const isPrivate = (absolute: string): boolean => pathsOf(absolute).some((path) => privacy(path) !== null);

  const folders = new Set([cwd]);
  for (const words of commandsIn(command)) {
    const places = (word: string): readonly string[] => [...folders].flatMap((folder) => expand(folder, word, budget));
    if (privatePathIn(words, (word) => places(word).flatMap(pathsOf), privacy) !== null) return true;
    if (copiedBy(words).some((word) => places(word).some((path) => holdsPrivate(path, isPrivate, budget)))) return true;
    if (budget.paths < 0) return true;
    const [program = "", target] = words;
    if ((program === "cd" || program === "pushd") && target !== undefined)
      for (const folder of places(target)) folders.add(folder);
  }
  return false;
}

interface Budget {
  paths: number;
  /** What is in the folders that were looked at. */
  readonly names: Map<string, readonly string[]>;
}

/** Returns the paths that a word means: itself, and what it matches if it is a pattern. */
function expand(folder: string, word: string, budget: Budget): readonly string[] {
  budget.paths -= 1;
  if (budget.paths < 0) return [];
  const written = resolve(folder, word);
  if (!isShellPattern(word)) return [written];
  let found = [word.startsWith("/") ? "/" : folder];
  for (const segment of word.split("/").filter((part) => part !== "")) {
    found = isShellPattern(segment)
      ? found.flatMap((at) => namesIn(at, budget).flatMap((name) => (matches(name, segment) ? [join(at, name)] : [])))
      : found.map((at) => join(at, segment));
  }
  return [written, ...found];
}

/** A shell matches a name that begins with a dot only by a pattern that does. */
function matches(name: string, pattern: string): boolean {
  return name.startsWith(".") === pattern.startsWith(".") && mayMatchName(pattern, name);
}

function namesIn(folder: string, budget: Budget): readonly string[] {
  if (budget.paths < 0) return [];
  const names = budget.names.get(folder) ?? readNames(folder);
  budget.names.set(folder, names);
  budget.paths -= names.length;
  return names;
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function holdsPrivate(path: string, isPrivate: (path: string) => boolean, budget: Budget): boolean {
  const folders = [realPath(path)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (!isFolder(folder)) continue;
    for (const name of namesIn(folder, budget)) {
      const inside = join(folder, name);
      if (isPrivate(inside)) return true;
      folders.push(inside);
    }
  }
  return false;
}

/** Programs that copy, move, link or pack whole folders, and the options with which they do. */
const COPIES: Readonly<Record<string, RegExp>> = {
  cp: /^(-[A-Za-z]*[rRa]|--recursive|--archive)/,
  scp: /^-[A-Za-z]*r/,
  rsync: /^(-[A-Za-z]*[ra]|--recursive|--archive)/,
  zip: /^(-[A-Za-z]*[rR]|--recurse)/,
  tar: /^(-?[A-Za-z]*[cruA]|--create|--append|--update|--concatenate|--catenate)/,
  mv: /^/,
  ln: /^/,
};
/** The last word is where they write. */
const WITH_DESTINATION: ReadonlySet<string> = new Set(["cp", "scp", "rsync", "mv", "ln"]);

/** Returns the words that name what a command copies as a whole. */
function copiedBy([program = "", ...args]: readonly string[]): readonly string[] {
  const name = basename(program);
  const whole = COPIES[name];
  const options = name === "tar" ? args.filter((arg, at) => at === 0 || arg.startsWith("-")) : args;
  if (whole === undefined || !options.some((arg) => whole.test(arg))) return [];
  const named = args.filter((arg) => !arg.startsWith("-"));
  const saysWhere = args.some((arg) => /^(-[A-Za-z]*t|--target-directory)/.test(arg));
  return WITH_DESTINATION.has(name) && !saysWhere && named.length > 1 ? named.slice(0, -1) : named;
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

function slashed(path: string): string {
  return path.split(sep).join("/");
}
