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
  npm: words("-c -C exec explore edit"),
  npx: words("-c"),
  pnpm: words("-c -C --dir exec dlx"),
  yarn: words("--cwd exec dlx node"),
  git: words(
    "-c -C -x -O --git-dir --work-tree --config-env --template bisect config difftool mergetool foreach filter-branch",
  ),
  find: words("-exec -execdir -ok -okdir"),
  fd: words("-x -X --exec-batch"),
  tar: words("-I -F --info-script --new-volume-script --rmt-command"),
  make: words("-f -C --file --makefile --directory"),
  go: words("-exec -toolexec -vettool"),
  node: words("-e -p -r --print --experimental-loader --env-file"),
  ssh: words("-o -F"),
  scp: words("-S -o -F"),
  rsync: words("-e"),
  rg: words("--hostname-bin"),
};

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
  return args.some((arg) => isNew(arg) && (options.some((option) => isOption(arg, option)) || setsProgram(name, arg)));
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
