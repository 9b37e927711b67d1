import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import type { PathPrivacy } from "../../domain/agent/private-paths.ts";
import type { Clock } from "../../kernel/clock.ts";
import { loadOnce } from "../../kernel/load-once.ts";
import { runShell } from "../process/run-process.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";
import { childEnvironment } from "../shared/environment.ts";
import type { AgentShell, CommandResult, RunCommand } from "./agent-shell.ts";
import type { FileSpace } from "./file-tools.ts";

const MAX_HALF_CHARS = 128 * 1024;

export interface HostShellOptions {
  readonly clock: Clock;
  /** Absolute. */
  readonly projectDir: string;
  /** Relative to the project. */
  readonly cwd: string;
  /** The daemon's environment; a command gets only what `childEnvironment` passes on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What the agent's definition adds. */
  readonly added: Readonly<Record<string, string>>;
  /** For the file tools. A command reads what its user can read. */
  readonly privacy: PathPrivacy;
}

/**
 * The real shell of the machine, for agents whose permissions say `mode: host`. A command gets a few harmless variables
 * and the agent's own, and nothing it started in the background outlives its call.
 */
export function createHostShell({ clock, projectDir, cwd, environment, added, privacy }: HostShellOptions): AgentShell {
  const env = childEnvironment(environment, added);
  const disposed = new AbortController();
  const running = new Set<Promise<unknown>>();

  const execute = async (
    command: string,
    folder: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<CommandResult> => {
    const output = createBoundedOutput({ start: MAX_HALF_CHARS, end: MAX_HALF_CHARS });
    const end = await runShell(clock, { command, cwd: folder, env, timeoutMs, onOutput: output.add }, signal);
    if (!end.started) return { output: `The shell could not be started: ${end.reason}`, code: 1, timedOut: false };
    return { output: output.text(), code: end.code, timedOut: end.timedOut };
  };

  const run: RunCommand = async (command, timeoutMs, outer) => {
    const folder = folderInside(projectDir, cwd);
    if (folder === null)
      return { output: `The working directory ${cwd} is not a folder of the project.`, code: 1, timedOut: false };
    const signal = AbortSignal.any([outer, disposed.signal]);
    const work = execute(command, folder, timeoutMs, signal);
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };

  return {
    run,
    files: hostFiles(clock, projectDir, cwd, privacy),
    [Symbol.asyncDispose]: async () => {
      disposed.abort(new Error("The shell was closed."));
      await Promise.allSettled(running);
    },
  };
}

/** The project on the disk. Links are not followed, neither out of the project nor inside it. */
function hostFiles(clock: Clock, projectDir: string, cwd: string, privacy: PathPrivacy): FileSpace {
  const library = loadOnce(() => import("just-bash"), { clock });
  return {
    lasting: true,
    fs: async () => new (await library.get()).ReadWriteFs({ root: projectDir }),
    locate: (path) => {
      const inside = relative(projectDir, resolve(projectDir, cwd, path))
        .split(sep)
        .join("/");
      // Some file systems ignore invisible characters, so such a name may mean another file.
      if (inside === ".." || inside.startsWith("../") || isAbsolute(inside) || /[\p{Cc}\p{Cf}]/u.test(inside)) {
        return { refused: `${JSON.stringify(path)} is not a path in the project.` };
      }
      return { path: `/${inside}`, project: inside || "." };
    },
    privacy,
    protects: (path) => whyOnlyPeopleWrite(path, (other) => existsSync(join(projectDir, other))),
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
