import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";
import { childEnvironment } from "../shared/environment.ts";
import { runProcess } from "./run-process.ts";

/**
 * Separate folders for workspaces whose agents change files: git worktrees of the project, created on first use and
 * never removed, because they may hold work. Creating one runs no hook.
 */
export interface WorktreeOptions {
  readonly clock: Clock;
  /** Absolute. */
  readonly projectDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const FOLDER = ".workspace/worktrees";
const TIMEOUT_MS = 5 * 60_000;
const MAX_CHARS = 4 * 1024;

/**
 * Returns a function that resolves with the path of the project inside the worktree of this name. The name is one part
 * of a path.
 */
export function createWorktrees(options: WorktreeOptions): (name: string) => Promise<string> {
  const making = new Map<string, Promise<string>>();
  return (name) => {
    const existing = making.get(name);
    if (existing !== undefined) return existing;
    const made = openWorktree(options, name).catch((error: unknown) => {
      making.delete(name);
      throw error;
    });
    making.set(name, made);
    return made;
  };
}

async function openWorktree(options: WorktreeOptions, name: string): Promise<string> {
  const folder = join(options.projectDir, FOLDER, name);
  refuseLinks(options.projectDir, name);
  // Otherwise git makes them, with rights for other users.
  mkdirSync(join(options.projectDir, FOLDER), { recursive: true, mode: 0o700 });
  // The project may be a folder inside a repository.
  const prefix = await git(options, ["rev-parse", "--show-prefix"]);
  if (!existsSync(join(folder, ".git"))) {
    await git(options, ["-c", "core.hooksPath=/dev/null", "worktree", "add", "--force", "--detach", folder]);
  }
  return join(folder, prefix);
}

/** A project may come with links, through which an agent would work outside of it. */
function refuseLinks(projectDir: string, name: string): void {
  let path = "";
  for (const segment of `${FOLDER}/${name}`.split("/")) {
    path = join(path, segment);
    const stats = lstatSync(join(projectDir, path), { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) continue;
    throw new EngineFailure(
      "permanent",
      `There is no worktree to work in: ${path} is not a real folder. Move it away.`,
    );
  }
}

async function git({ clock, projectDir, env }: WorktreeOptions, args: readonly string[]): Promise<string> {
  const output = createBoundedOutput({ start: MAX_CHARS });
  const errors = createBoundedOutput({ end: MAX_CHARS });
  const end = await runProcess(
    clock,
    {
      program: "git",
      args,
      cwd: projectDir,
      env: childEnvironment(env, { LC_ALL: "C" }),
      timeoutMs: TIMEOUT_MS,
      onOutput: (text, from) => (from === "stdout" ? output : errors).add(text),
    },
    new AbortController().signal,
  );
  if (end.started && end.code === 0) return output.head().trim();
  const why = end.started ? (errors.tail().trim().split("\n").at(-1) ?? "") : end.reason;
  throw new EngineFailure(
    "permanent",
    `There is no worktree to work in: ${why}. Make the project a git repository with a commit, or remove "worktree".`,
  );
}
