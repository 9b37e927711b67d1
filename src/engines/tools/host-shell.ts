import { spawn, type ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../kernel/clock.ts";
import { createBoundedText } from "./bounded-text.ts";
import type { FileSpace } from "./file-tools.ts";
import type { CommandResult, RunCommand } from "./run-command.ts";

/**
 * The real shell of the machine, for agents whose permissions say `mode: host`. A command gets a process group of its
 * own, no standard input, and an environment of a few harmless variables plus the agent's own. When it ends, is stopped
 * or takes too long, the whole group ends with it: nothing an agent started in the background outlives its call.
 */
const PASSED_ON = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM"];
const KEPT_CHARACTERS = 256 * 1024;
const GRACE_MS = 2_000;
/** For output in the pipes once the group was killed; a process that left the group may hold them open for ever. */
const DRAIN_MS = 500;

export interface HostShell extends AsyncDisposable {
  readonly run: RunCommand;
  readonly files: FileSpace;
}

export interface HostShellOptions {
  readonly clock: Clock;
  /** Absolute. */
  readonly projectDir: string;
  /** Relative to the project. */
  readonly cwd: string;
  /** The daemon's environment, of which little is passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the agent's definition adds. */
  readonly added: Readonly<Record<string, string>>;
}

export function createHostShell({ clock, projectDir, cwd, environment, added }: HostShellOptions): HostShell {
  const passed = PASSED_ON.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]));
  const env: Record<string, string> = { ...Object.fromEntries(passed), ...added };
  const disposed = new AbortController();
  const running = new Set<Promise<unknown>>();

  const run: RunCommand = async (command, timeoutMs, outer) => {
    const folder = folderInside(projectDir, cwd);
    if (folder === null)
      return { output: `The working directory ${cwd} is not a folder of the project.`, code: 1, timedOut: false };
    const signal = AbortSignal.any([outer, disposed.signal]);
    signal.throwIfAborted();
    const work = execute(clock, { command, folder, env, timeoutMs }, signal);
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };

  return {
    run,
    files: hostFiles(projectDir, cwd),
    [Symbol.asyncDispose]: async () => {
      disposed.abort(new Error("The shell was closed."));
      await Promise.allSettled(running);
    },
  };
}

interface Command {
  readonly command: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
}

async function execute(
  clock: Clock,
  { command, folder, env, timeoutMs }: Command,
  signal: AbortSignal,
): Promise<CommandResult> {
  const child = spawn("sh", ["-c", command], { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const output = createBoundedText(KEPT_CHARACTERS);
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder("utf8");
    stream.on("data", (chunk: Buffer) => output.add(decoder.write(chunk)));
  }
  const closed = new Promise<void>((resolveClosed) => void child.once("close", () => resolveClosed()));
  const exited = new Promise<number | null>((resolveExit, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolveExit(code));
  });

  const settled = new AbortController();
  let timedOut = false;
  const stop = (): void => {
    signalGroup(child, "SIGTERM");
    clock.sleep(GRACE_MS, settled.signal).then(
      () => signalGroup(child, "SIGKILL"),
      () => {},
    );
  };
  signal.addEventListener("abort", stop, { once: true });
  clock.sleep(timeoutMs, settled.signal).then(
    () => {
      timedOut = true;
      stop();
    },
    () => {},
  );
  try {
    const code = await exited.catch((error: Error) => {
      output.add(`The shell could not be started: ${error.message}`);
      return 1;
    });
    signalGroup(child, "SIGKILL");
    await Promise.race([closed, clock.sleep(DRAIN_MS, settled.signal).catch(() => {})]);
    signal.throwIfAborted();
    return { output: output.text(), code, timedOut };
  } finally {
    settled.abort();
    signal.removeEventListener("abort", stop);
    signalGroup(child, "SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** What would change who an agent is, what it may do or what runs on this machine is for people to write. */
const PROTECTED: readonly [pattern: RegExp, reason: string][] = [
  [/^\.(agents|workflows)(\/|$)/i, "definitions of agents and workflows are changed by people."],
  [/^(moniro\.ya?ml|\.agents\.ya?ml)$/i, "the project file is changed by people."],
  [/^\.workspace(\/|$)/i, "it belongs to the daemon."],
  [/^\.git(\/|$)/i, "it belongs to git."],
];

/** The project as it is on the disk. Links are not followed, neither out of the project nor inside it. */
function hostFiles(projectDir: string, cwd: string): FileSpace {
  return {
    fs: async () => {
      const { ReadWriteFs } = await import("just-bash");
      return new ReadWriteFs({ root: projectDir });
    },
    locate: (path) => {
      const inside = relative(projectDir, resolve(projectDir, cwd, path))
        .split(sep)
        .join("/");
      // Some disks do not see invisible characters: a name that holds them may be another one.
      if (inside === ".." || inside.startsWith("../") || isAbsolute(inside) || /[\p{Cc}\p{Cf}]/u.test(inside)) {
        return { refused: `${JSON.stringify(path)} is not a path in the project.` };
      }
      return { path: `/${inside}`, project: inside || "." };
    },
    protects: (project) => PROTECTED.find(([pattern]) => pattern.test(project))?.[1] ?? null,
  };
}

function folderInside(projectDir: string, cwd: string): string | null {
  try {
    const root = realpathSync(projectDir);
    const folder = realpathSync(join(root, cwd));
    return folder === root || folder.startsWith(root + sep) ? folder : null;
  } catch {
    return null;
  }
}
