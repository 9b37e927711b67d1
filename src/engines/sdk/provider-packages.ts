import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "../shared/environment.ts";

/** Where the package of a provider may be, besides the program itself. */
export interface PackagePlaces {
  /** The folder of packages that `providers add` fills. */
  readonly added?: string;
  /** For the folders of packages that this user installed for every project. */
  readonly env?: Environment;
  /** The folder of the project. */
  readonly project?: string;
}

export interface FoundPackage {
  /** Absolute path of the file or the package folder to load. */
  readonly path: string;
  readonly place: "program" | "added" | "global" | "project";
}

/** The providers that the published package brings: see `scripts/bundle-packages.ts`. */
const BUNDLES = fileURLToPath(new URL("../../bundles/providers", import.meta.url));
const PROGRAM = dirname(fileURLToPath(import.meta.url));

/**
 * Finds the package of a provider: in the program or beside it, among those that were added, among those that are
 * installed for every project, and last in the project. A project cannot replace a package that the person has, because
 * the package gets the person's key.
 */
export function findProviderPackage(name: string, places: PackagePlaces = {}): FoundPackage | undefined {
  const own = IN_PROGRAM.get(name) ?? findInProgram(name);
  if (own !== undefined) {
    IN_PROGRAM.set(name, own);
    return { path: own, place: "program" };
  }
  for (const [place, folder] of foldersOf(places)) {
    // Above the folders of the home there may be those of a project.
    const path = place === "project" ? findAbove(folder, name) : packageIn(folder, name);
    if (path !== undefined) return { path, place };
  }
  return undefined;
}

/** Each run asks where its package is. What the program brings stays where it is as long as the program runs. */
const IN_PROGRAM = new Map<string, string>();

function findInProgram(name: string): string | undefined {
  const bundle = join(BUNDLES, `${name.replace(/^@ai-sdk\//, "")}.js`);
  return name.startsWith("@ai-sdk/") && existsSync(bundle) ? bundle : findAbove(PROGRAM, name);
}

/** Most packages are in the first folder, so the others are not looked for before they are needed. */
function* foldersOf({ added, env = {}, project }: PackagePlaces): Generator<readonly [FoundPackage["place"], string]> {
  if (added !== undefined) yield ["added", added];
  for (const folder of globalFolders(env)) yield ["global", folder];
  if (project !== undefined) yield ["project", project];
}

/** Opens no file: a run must not fail for good because descriptors have run out. */
function packageIn(folder: string, name: string): string | undefined {
  const path = join(folder, "node_modules", name);
  return existsSync(join(path, "package.json")) ? path : undefined;
}

function findAbove(folder: string, name: string): string | undefined {
  const parent = dirname(folder);
  return packageIn(folder, name) ?? (parent === folder ? undefined : findAbove(parent, name));
}

/**
 * Returns the folders that have a `node_modules` with what npm, pnpm, yarn and bun install with `-g`. `npm root -g` would
 * know it better, and takes longer than a command may.
 */
function globalFolders(env: Environment): readonly string[] {
  const home = env["HOME"] ?? "";
  const prefixes = [
    env["npm_config_prefix"],
    env["NPM_CONFIG_PREFIX"],
    prefixInFile(home),
    join(dirname(process.execPath), ".."),
  ];
  const others = [
    env["PNPM_HOME"] === undefined ? undefined : join(env["PNPM_HOME"], "global/5"),
    ...(home === "" ? [] : [join(home, ".bun/install/global"), join(home, ".config/yarn/global")]),
  ];
  return [...prefixes.flatMap((prefix) => (prefix === undefined ? [] : [join(prefix, "lib")])), ...others].filter(
    (folder) => folder !== undefined && existsSync(join(folder, "node_modules")),
  ) as string[];
}

/** Returns `prefix` of the user's settings of npm. */
function prefixInFile(home: string): string | undefined {
  try {
    const [, prefix] = /^\s*prefix\s*=\s*(.+?)\s*$/m.exec(readFileSync(join(home, ".npmrc"), "utf8")) ?? [];
    return prefix?.replace(/^~(?=\/)|\$\{HOME\}/, home);
  } catch {
    return undefined;
  }
}
