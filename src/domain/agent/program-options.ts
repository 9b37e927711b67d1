/**
 * Options and words with which a command starts another program, or loads code that the pattern of a permission does not
 * name: `npm test --script-shell=FILE` is not what a person meant by `bash(npm test*)`. A command with one of them is
 * allowed only by a pattern that names it too. The list is not complete; the boundary is to allow little.
 */

/** Of every program. */
export const PROGRAM_OPTIONS: readonly string[] = words(
  "--script-shell --shell --call --command --exec --exec-path --eval --require --import --loader --config --userconfig " +
    "--globalconfig --node-options --prefix --pre --to-command --use-compress-program --checkpoint-action --rsh --rsync-path " +
    "--rsh-command --pager --editor --upload-pack --receive-pack --ext-diff --open-files-in-pager --compress-program",
);

/** Of one program, besides those of every program. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  npm: words("-c -C -w --workspace --workspaces exec explore edit"),
  npx: words("-c"),
  pnpm: words("-c -C --dir exec dlx"),
  yarn: words("--cwd exec dlx node"),
  git: words(
    "-c -C -x -O --git-dir --work-tree --config-env --template bisect config difftool mergetool foreach filter-branch " +
      "instaweb --httpd --browser --smtp-server --sendmail-cmd --to-cmd --cc-cmd --header-cmd",
  ),
  find: words("-exec -execdir -ok -okdir"),
  fd: words("-x -X --exec-batch"),
  tar: words("-I -F --info-script --new-volume-script --rmt-command"),
  make: words("-f -C --file --makefile --directory"),
  go: words("-exec -toolexec -vettool"),
  ssh: words("-o -F"),
  scp: words("-S -o -F"),
  rsync: words("-e"),
  rg: words("--hostname-bin"),
  zip: words("--unzip-command"),
};

/** Letters that start a program, also where several letters are written together: `tar cfF`, `zip -rTT`. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  tar: /^-[A-Za-z]*[FI]/,
  zip: /^-\w*TT/,
};

/** Programs that run a text, a module or their input instead of a file. Names are without a version. */
const INTERPRETERS: Readonly<Record<string, { readonly options: readonly string[]; readonly letters: RegExp }>> = {
  node: { options: words("--print --experimental-loader --env-file"), letters: /^-[a-z]*[epr]/ },
  python: { options: [], letters: /^-[A-Za-z]*[cmi]/ },
  perl: { options: [], letters: /^-[\w.]*[eEMmIdx]/ },
  ruby: { options: [], letters: /^-[\w.]*[erIx]/ },
  php: { options: words("--run --define --process-begin --process-code --process-end"), letters: /^-[rBREFdcza]/ },
  lua: { options: [], letters: /^-[A-Za-z]*[eli]/ },
  deno: { options: words("eval repl --preload"), letters: /^-[A-Za-z]*c/ },
  bun: { options: words("exec x repl --print --preload"), letters: /^-[A-Za-z]*[epr]/ },
};
const SAME_AS: Readonly<Record<string, string>> = { nodejs: "node", pypy: "python", luajit: "lua" };

/** Commands of git that take a program with `-u`. Others mean something else by it: `git push -u`. */
const GIT_WITH_UPLOAD_PACK = words("clone fetch pull ls-remote");

/** Programs that start what their arguments name. A pattern has to say what that is: `env *` allows nothing. */
const STARTERS = new Set(
  words(
    "env xargs sudo doas command builtin exec nohup time timeout nice ionice setsid stdbuf busybox watch parallel " +
      "sh bash dash zsh ksh eval source . awk gawk mawk sed",
  ),
);

/** True when the words make a program start another one that the pattern (`npm test*`) does not name. */
export function startsOtherProgram(pattern: string, [program = "", ...args]: readonly string[]): boolean {
  const named = pattern.split(/\s+/);
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (STARTERS.has(name) && pattern.includes("*") && !/^[^-*]/.test(named[1] ?? "")) return true;
  const options = [...PROGRAM_OPTIONS, ...(OWN[name] ?? [])];
  const isNew = (arg: string): boolean => !named.includes(arg) && !named.some((word) => word === arg.split("=")[0]);
  const added = args.filter(isNew);
  return (
    added.some((arg) => options.some((option) => isOption(arg, option)) || setsProgram(name, arg)) ||
    hasLetters(name, args, added) ||
    runsOtherThanFile(name, named, args, added)
  );
}

function hasLetters(program: string, args: readonly string[], added: readonly string[]): boolean {
  if (program === "git" && args.some((arg) => GIT_WITH_UPLOAD_PACK.includes(arg))) {
    return added.some((arg) => /^-[A-Za-z]*u/.test(arg));
  }
  const letters = LETTERS[program];
  // The first word of `tar` needs no dash.
  const written = program === "tar" ? added.map((arg) => (arg === args[0] ? arg.replace(/^-?/, "-") : arg)) : added;
  return letters !== undefined && written.some((arg) => !arg.startsWith("--") && letters.test(arg));
}

/** An interpreter that gets its program from somewhere else than a file. After a file that the pattern names come its own arguments. */
function runsOtherThanFile(
  program: string,
  named: readonly string[],
  args: readonly string[],
  added: readonly string[],
): boolean {
  const plain = program.replace(/[\d.]+$/, "");
  const interpreter = INTERPRETERS[SAME_AS[plain] ?? plain];
  if (interpreter === undefined || /^[^-*][^*]*[./][^*]*$/.test(named[1] ?? "")) return false;
  if (args.length === 0) return named.some((word) => word.includes("*"));
  return added.some(
    (arg) =>
      arg === "-" ||
      (!arg.startsWith("--") && interpreter.letters.test(arg)) ||
      interpreter.options.some((option) => isOption(arg, option)),
  );
}

/** Long options may be shortened, and the value of an option may follow without a space. */
function isOption(arg: string, option: string): boolean {
  const [name = ""] = arg.split("=");
  if (option.startsWith("--")) return name === option || (name.length > MIN_SHORTENED && option.startsWith(name));
  if (/^-[A-Za-z]$/.test(option)) return arg.startsWith(option) && !arg.startsWith("--");
  return arg === option;
}

const MIN_SHORTENED = 4;

/** `make SHELL=./x` */
function setsProgram(program: string, arg: string): boolean {
  return program === "make" && /^[A-Za-z_]\w*[:+?]?=/.test(arg);
}

function words(text: string): readonly string[] {
  return text.split(" ");
}
