/** A command of git that only reads, made of words that an agent wrote. */
export interface ReadArguments {
  /** The command with its options and revisions, without paths. */
  readonly command: readonly string[];
  /** The same command, made to print only the names of files, each ended by a zero byte; null when it shows no content. */
  readonly listing: readonly string[] | null;
  readonly revisions: readonly string[];
  readonly paths: readonly string[];
  /** The paths of `COMMIT:PATH`. */
  readonly objects: readonly string[];
}

/** Words that follow each command: nothing in it starts a program or writes a file. */
const SAFE = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];
const COMMANDS: Readonly<
  Record<string, { readonly fixed: readonly string[]; readonly options: RegExp; readonly lists: boolean }>
> = {
  diff: {
    fixed: [...SAFE, "--relative"],
    options:
      /^(?:--(?:cached|staged|stat|numstat|shortstat|name-only|name-status|summary|patch|no-renames|ignore-all-space|ignore-space-change|ignore-blank-lines|word-diff|function-context|merge-base|reverse|check)|--unified=\d+|-U\d+|--diff-filter=[A-Za-z]+|--stat=\d+|-[pwbMWR])$/u,
    lists: true,
  },
  log: {
    fixed: [...SAFE, "--relative", "--no-show-signature"],
    options:
      /^(?:--(?:oneline|stat|numstat|shortstat|name-only|name-status|summary|patch|no-patch|graph|decorate|no-merges|merges|first-parent|reverse|all|topo-order|date-order|abbrev-commit|full-history)|--(?:max-count|skip)=\d+|--(?:since|until|after|before)=[\w :.+-]+|--(?:author|committer|grep)=[^\0]{1,200}|--format=(?:oneline|short|medium|full|fuller|reference)|--pretty=(?:oneline|short|medium|full|fuller|reference)|--date=(?:short|iso|iso-strict|relative|local|default)|-n|-\d+|-n\d+|-[pwbi]|-S.{1,200}|-G.{1,200}|-U\d+|--unified=\d+)$/u,
    lists: true,
  },
  show: {
    fixed: [...SAFE, "--no-show-signature"],
    options:
      /^(?:--(?:oneline|stat|numstat|shortstat|name-only|name-status|summary|patch|no-patch|first-parent|abbrev-commit)|--format=(?:oneline|short|medium|full|fuller|reference)|--pretty=(?:oneline|short|medium|full|fuller|reference)|-[pswb]|-U\d+|--unified=\d+)$/u,
    lists: true,
  },
  status: {
    fixed: ["--ignore-submodules=all"],
    options: /^(?:--(?:short|branch|porcelain|long)|--porcelain=v[12]|--untracked-files=(?:no|normal|all)|-[sbu])$/u,
    lists: false,
  },
  blame: {
    fixed: ["--no-textconv"],
    options: /^(?:-[wsCMe]|-L\d+(?:,[+-]?\d+)?|--(?:date=short|show-email|porcelain|line-porcelain|root))$/u,
    lists: false,
  },
};

/** A number may follow as a word of its own. */
const TAKES_NUMBER = /^(?:-n|-L|-U)$/u;
const REVISION = /^(?!-)[\w./@{}^~+-]+$/u;

/** Returns the command, or why it is refused. `isRevision` says whether the repository knows a word as a revision. */
export async function readGitArguments(
  args: readonly string[],
  isRevision: (word: string) => Promise<boolean>,
): Promise<ReadArguments | { readonly refused: string }> {
  const [name = "", ...words] = args.filter((word) => word !== "--no-pager");
  const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (known === undefined) {
    return { refused: `git ${name} is not available here: only ${Object.keys(COMMANDS).join(", ")}.` };
  }
  const options: string[] = [];
  const revisions: string[] = [];
  const objects: string[] = [];
  const named: string[] = [];
  const paths: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word === "--") {
      paths.push(...words.slice(at + 1));
      break;
    }
    if (word.startsWith("-")) {
      const following = TAKES_NUMBER.test(word) ? words[at + 1] : undefined;
      const whole = following === undefined ? word : `${word}${following}`;
      if (!known.options.test(whole)) return { refused: `git ${name}: the option ${word} is not available here.` };
      options.push(whole);
      at += following === undefined ? 0 : 1;
      continue;
    }
    const [, revision, path] = /^([^:]+):(.+)$/su.exec(word) ?? [];
    if (name === "show" && revision !== undefined && path !== undefined && REVISION.test(revision)) {
      objects.push(path);
      named.push(word);
    } else if (paths.length === 0 && name !== "status" && REVISION.test(word) && (await isRevision(word))) {
      revisions.push(word);
      named.push(word);
    } else paths.push(word);
  }
  if (paths.some((path) => path.startsWith(":"))) return { refused: "Paths cannot begin with a colon here." };
  if (name === "blame" && paths.length !== 1) return { refused: "usage: git blame [COMMIT] [--] FILE" };
  if (objects.length > 0) {
    if (objects.length > 1 || revisions.length + paths.length > 0)
      return { refused: "Name one COMMIT:PATH at a time." };
    const [word = ""] = named;
    // `./` means the working directory. Without it, git begins at the top of the repository.
    const [, revision = "", path = ""] = /^([^:]+):(.+)$/su.exec(word) ?? [];
    const command = ["show", "--no-textconv", "--no-color", `${revision}:./${path.replace(/^\.\//u, "")}`];
    return { command, listing: null, revisions, paths: [], objects };
  }
  const command = [name, ...known.fixed, ...options, ...named];
  const listing = known.lists
    ? [
        name,
        ...known.fixed.filter((word) => word !== "--relative"),
        ...options.filter(isSelection),
        "--name-only",
        "-z",
        ...(name === "diff" ? [] : ["--format="]),
        ...named,
      ]
    : null;
  return { command, listing, revisions, paths, objects };
}

/** Options that say what is shown, not how. */
function isSelection(option: string): boolean {
  return /^(?:--(?:cached|staged|merge-base|all|no-merges|merges|first-parent|diff-filter|max-count|skip|since|until|after|before|author|committer|grep)|-n\d|-\d|-[SG])/u.test(
    option,
  );
}
