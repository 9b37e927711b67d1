import type { Clock } from "../../kernel/clock.ts";
import { runProcess } from "../process/run-process.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";
import { childEnvironment, type Environment } from "../shared/environment.ts";

/**
 * Git on a repository that nobody has to trust. A repository can name programs in its configuration, its attributes and
 * its hooks; none of them is started: no hook, filter, merge driver, external diff, text conversion, file system monitor,
 * pager, signature check or transport. Commands of this file get no terminal and no network.
 */
export interface GitFolder {
  /** Absolute path of the folder with the files. */
  readonly top: string;
  /** Absolute path of its `.git`: a worktree has its own. */
  readonly gitDir: string;
}

export interface GitOptions {
  readonly clock: Clock;
  readonly env: Environment;
}

export interface GitResult {
  readonly code: number;
  readonly output: string;
  /** Standard output was longer than the limit. */
  readonly cut: boolean;
  readonly errors: string;
}

export interface GitCall {
  readonly input?: string;
  readonly maxChars?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Where paths begin; absent: the top of the repository. */
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export type Git = (repository: GitFolder, args: readonly string[], call?: GitCall) => Promise<GitResult>;

const TIMEOUT_MS = 5 * 60_000;
const MAX_CHARS = 16 * 1024 * 1024;
const MAX_ERRORS = 4 * 1024;

const FIXED: readonly (readonly [name: string, value: string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.quotePath", "false"],
  ["credential.helper", ""],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["merge.autoStash", "false"],
  ["merge.verifySignatures", "false"],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "all"],
  ["submodule.recurse", "false"],
  ["blame.ignoreRevsFile", ""],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
  ["color.ui", "false"],
];

/** What git runs as programs, by names that the configuration chooses. */
const NAMED_PROGRAM = /^(filter|merge|diff)\.(.+)\.(clean|smudge|process|driver|command|textconv)$/is;
const TEXT_MERGE = "git merge-file --marker-size=%L %A %O %B";

/** Returns a function that runs git. It rejects only when git cannot be started or does not end. */
export function createGit({ clock, env }: GitOptions): Git {
  const base = childEnvironment(env, {
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_ASKPASS: "false",
    GIT_ADVICE: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
  });
  const run: Git = async ({ top, gitDir }, args, call = {}) => {
    const output = createBoundedOutput({ start: call.maxChars ?? MAX_CHARS });
    const errors = createBoundedOutput({ end: MAX_ERRORS });
    const end = await runProcess(
      clock,
      {
        program: "git",
        args,
        cwd: call.cwd ?? top,
        env: { ...base, GIT_DIR: gitDir, GIT_WORK_TREE: top, ...call.env },
        timeoutMs: TIMEOUT_MS,
        ...(call.input === undefined ? {} : { input: call.input }),
        onOutput: (text, from) => (from === "stdout" ? output : errors).add(text),
      },
      call.signal ?? new AbortController().signal,
    );
    if (!end.started) return { code: 127, output: "", cut: false, errors: "git is not installed" };
    const late = end.timedOut ? "git took too long" : "";
    return {
      code: end.code ?? 128,
      output: output.head(),
      cut: output.leftOut() > 0,
      errors: late || errors.tail().trim(),
    };
  };
  return async (repository, args, call) => {
    const listed = await run(repository, ["config", "--list", "--name-only", "-z"]);
    const settings = settingsEnvironment([...FIXED, ...disarmed(listed.output)]);
    return run(repository, args, { ...call, env: { ...call?.env, ...settings } });
  };
}

/** Not as arguments: there the name of a setting ends at the first `=`, also if a repository put it into the name. */
function settingsEnvironment(settings: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  const variables = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(variables) };
}

/** Returns settings that replace every program that the configuration names. */
function disarmed(names: string): readonly (readonly [name: string, value: string])[] {
  return [...new Set(names.split("\0"))].flatMap((name) => {
    const [, kind = "", which = "", what = ""] = NAMED_PROGRAM.exec(name) ?? [];
    switch (kind.toLowerCase()) {
      case "filter":
        return [
          [name, ""],
          [`filter.${which}.required`, "false"],
        ];
      case "merge":
        return [[name, TEXT_MERGE]];
      case "diff":
        // `--no-textconv` and `--no-ext-diff` stand in every command that could use them.
        return [[name, what.toLowerCase() === "textconv" ? "cat" : "false"]];
      default:
        return [];
    }
  });
}

/** Returns what git said first, with the files that it lists below. */
export function reasonOf({ errors }: Pick<GitResult, "errors">): string {
  const lines = errors.split("\n");
  const at = lines.findIndex((each) => /^(?:fatal|error):/.test(each));
  const line = (at === -1 ? lines.at(-1) : lines[at]) ?? "";
  const below = at === -1 ? [] : lines.slice(at + 1);
  const end = below.findIndex((each) => !each.startsWith("\t"));
  const files = below.slice(0, end === -1 ? below.length : end).map((each) => each.trim());
  const listed = files.length === 0 ? "" : ` ${files.join(", ")}`;
  return `${line.replace(/^(?:fatal|error): /, "")}${listed}`.replace(/\.$/, "");
}
