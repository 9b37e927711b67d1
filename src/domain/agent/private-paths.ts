import { isShellPattern, mayMatchName } from "./shell-pattern.ts";

/**
 * What an agent must not read: files that hold keys and logins, and the personal contexts of other agents. This is the
 * only table. The shell and the file tools apply it themselves; command lines get it as rules, where they have rules.
 */

/**
 * Names of files and folders, at any depth, some with the folder they are in. `*` is any text without a slash. A private
 * folder includes everything in it.
 */
export const PRIVATE_NAMES: readonly string[] = [
  ".env*",
  "*.env",
  "env.production",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "*.tfstate",
  "*.tfvars",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  ".ssh",
  ".aws",
  ".azure",
  ".gnupg",
  ".kube",
  ".npmrc",
  ".yarnrc.yml",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  ".git/config",
  ".docker/config.json",
  ".dockercfg",
  ".config/gcloud",
  ".config/gh",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".vault-token",
  ".s3cfg",
  ".boto",
  ".terraformrc",
  ".htpasswd",
  "kubeconfig",
  "service-account*.json",
  "credentials.json",
  "secrets.yml",
  "secrets.yaml",
  "auth.json",
  ".agent-worker",
];

/** Exceptions: examples that projects share, without values. */
export const SHARED_EXAMPLES: readonly string[] = [".env.example", ".env.sample", ".env.template"];

const AGENTS_FOLDER = ".agents";
/** Belongs to the whole project. */
const SKILLS_FOLDER = "skills";

/** The personal context of an agent, and those of the other agents of its project. Relative to the project. */
export interface PersonalFolders {
  /** Null when the agent has none. */
  readonly own: string | null;
  /** May be computed when it is read: few runs need it, and a project may have ten thousand agents. */
  readonly others: readonly string[];
}

/** Returns the folder of an agent's personal context, relative to the project. */
export function contextFolderOf({ name, contextDir }: { readonly name: string; readonly contextDir?: string }): string {
  return contextDir ?? `${AGENTS_FOLDER}/${name}`;
}

/** Returns why an agent may not read this path, as the end of a sentence; null when it may. */
export type PathPrivacy = (path: string) => string | null;

/**
 * Paths are relative to the project, with slashes; those outside it are absolute. Case, and characters that some file
 * systems ignore, make no difference.
 */
export function pathPrivacy(personal: PersonalFolders): PathPrivacy {
  const owned = personal.own === null ? null : comparable(personal.own);
  let folders: readonly string[] | undefined;
  return (path) => {
    // Those below `.agents/` are private by their place.
    folders ??= personal.others.map(comparable).filter((folder) => !/^\.agents\/[^/]+$/.test(folder));
    const plain = comparable(path);
    const segments = plain.split("/");
    const name = NAMES.exec(
      segments.map((segment) => (SHARED_EXAMPLES.includes(segment) ? "" : segment)).join("/"),
    )?.[1];
    if (name !== undefined) return `${name} may hold keys or logins.`;
    if (segments[0] === ".workspace") return "it belongs to the daemon.";
    return isPersonal(plain, segments, owned, folders) ? "it is the personal context of another agent." : null;
  };
}

/** The deepest folder that contains the path decides. */
function isPersonal(path: string, segments: readonly string[], own: string | null, others: readonly string[]): boolean {
  const depth = (folder: string): number => (path === folder || path.startsWith(`${folder}/`) ? folder.length : 0);
  const owned = own === null ? 0 : depth(own);
  if (others.some((folder) => depth(folder) > owned)) return true;
  if (owned > 0) return false;
  // Also of agents that exist no more, and in copies of the project such as worktrees. Definitions are files with a dot.
  const at = segments.lastIndexOf(AGENTS_FOLDER);
  const [folder = ".", ...inside] = at === -1 ? [] : segments.slice(at + 1);
  if (folder === SKILLS_FOLDER || (inside.length === 0 && folder.includes("."))) return false;
  return own === null || !`${segments.slice(at).join("/")}/`.startsWith(`${own}/`);
}

const NAMES = new RegExp(
  `(?:^|/)(${PRIVATE_NAMES.map((name) => name.split("*").map(RegExp.escape).join("[^/]*")).join("|")})(?:/|$)`,
);

function comparable(path: string): string {
  return path
    .normalize("NFKC")
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/^\.\//, "");
}

/** Examples for each private name, to find out what a pattern of a shell may match. */
const EXAMPLE_NAMES = PRIVATE_NAMES.flatMap((name) => [name.replaceAll("*", ""), name.replaceAll("*", "x")]);
const MIN_LETTERS = 2;
/** Expressions of programs, which people search for. */
const NO_FILE = /(?:^|[^\w/])(?:process|import\.meta)\.env$/;

/**
 * Returns a private path that these words of a command name, and why it is private; null when they name none. `resolve` says
 * which paths a word may mean. A command has other ways to read a file: this catches mistakes, and is no security boundary.
 */
export function privatePathIn(
  words: readonly string[],
  resolve: (word: string) => readonly string[],
  privacy: PathPrivacy,
): { readonly path: string; readonly reason: string } | null {
  // `--file=.env`, `HEAD:.env`, `@.env`
  for (const word of words.flatMap((each) => [...each.split(/[=:,@]/), each])) {
    if (word === "" || NO_FILE.test(word)) continue;
    for (const path of [...resolve(word), ...namesLike(word)]) {
      const reason = privacy(path);
      if (reason !== null) return { path: word, reason };
    }
  }
  return null;
}

function namesLike(word: string): readonly string[] {
  return word.split("/").flatMap((segment) => {
    if (!isShellPattern(segment) || segment.replaceAll(/[*?.[\]]/g, "").length < MIN_LETTERS) return [];
    return EXAMPLE_NAMES.filter((name) => mayMatchName(segment, name));
  });
}
