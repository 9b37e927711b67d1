import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

/** Where this program exists, a command can be run in a terminal of its own. */
export const hasTerminals = spawnSync("script", ["--version"]).status === 0;

/** Runs the installed command in a terminal, and presses `key` when the question appears. Returns all that was shown. */
export async function runInTerminal(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly key?: string },
): Promise<{ readonly exit: number | null; readonly shown: string }> {
  const line = [process.execPath, COMMAND, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], TERM: "xterm", ...options.env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let pressed = false;
  child.stdin.on("error", () => {});
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (!pressed && options.key !== undefined && shown.includes("[y/N]")) {
      pressed = true;
      child.stdin.write(options.key);
    }
  });
  await once(child, "close");
  return { exit: child.exitCode, shown };
}
