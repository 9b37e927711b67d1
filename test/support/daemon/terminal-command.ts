import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { NO_LOCAL_MODELS } from "./no-local-models.ts";

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

/** Where this program exists, a command can be run in a terminal of its own. */
export const hasTerminals = spawnSync("script", ["--version"]).status === 0;

/** The installed command in a terminal of its own. */
export interface TerminalCommand {
  /** Everything that was shown until now. */
  shown(): string;
  press(keys: string): void;
  readonly ended: Promise<{ readonly exit: number | null; readonly shown: string }>;
}

interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export function startInTerminal(
  args: readonly string[],
  { cwd, env, onShown = () => {} }: TerminalOptions & { readonly onShown?: (command: TerminalCommand) => void },
): TerminalCommand {
  const line = [process.execPath, COMMAND, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm", ...NO_LOCAL_MODELS, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdin.on("error", () => {});
  const command: TerminalCommand = {
    shown: () => shown,
    press: (keys) => void child.stdin.write(keys),
    ended: once(child, "close").then(() => ({ exit: child.exitCode, shown })),
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    onShown(command);
  });
  return command;
}

/** Runs the installed command in a terminal, and presses `key` when the question appears. Returns all that was shown. */
export async function runInTerminal(
  args: readonly string[],
  { key, ...options }: TerminalOptions & { readonly key?: string },
): Promise<{ readonly exit: number | null; readonly shown: string }> {
  let pressed = false;
  const onShown = (command: TerminalCommand): void => {
    if (pressed || key === undefined || !command.shown().includes("[y/N]")) return;
    pressed = true;
    command.press(key);
  };
  return startInTerminal(args, { ...options, onShown }).ended;
}
