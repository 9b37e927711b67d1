import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { temporaryFolder, type TemporaryFolder } from "../temporary-folder.ts";
import { NO_LOCAL_MODELS } from "./no-local-models.ts";

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

export interface Answer {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder with these files, in which the command is run as a user would: in a process, with an environment of its own. */
export interface CommandFolder extends TemporaryFolder {
  run(args: readonly string[], options?: RunOptions): Promise<Answer>;
}

export interface RunOptions {
  readonly input?: string;
  /** Relative to the folder. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: string;
  /** A command in front of it. */
  readonly on?: readonly string[];
}

export function commandFolder(files: Readonly<Record<string, string>> = {}): CommandFolder {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(folder.in(path)), { recursive: true });
    writeFileSync(folder.in(path), content);
  }
  return { ...folder, run: (args, options) => runCommand(folder, args, options) };
}

function runCommand(folder: TemporaryFolder, args: readonly string[], options: RunOptions = {}): Promise<Answer> {
  const { cwd = ".", env, ...more } = options;
  return runInstalled(args, { ...more, cwd: folder.in(cwd), env: { HOME: folder.path, ...env } });
}

/** The command as a user has it, in a process of its own. */
export async function runInstalled(
  args: readonly string[],
  options: Omit<RunOptions, "cwd"> & { readonly cwd: string },
): Promise<Answer> {
  const [program = "", ...words] = [...(options.on ?? []), process.execPath, options.command ?? COMMAND, ...args];
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], AGENT_WORKER_TRUST: "1", ...NO_LOCAL_MODELS, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {}); // It need not read what it does not want.
  child.stdin.end(options.input ?? "");
  const ended = once(child, "close");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  expect(`${out}${err}`, "a stack trace").not.toMatch(/^\s+at .+:\d+|node:internal|something went wrong inside/m);
  return { exit: child.exitCode, out, err };
}
