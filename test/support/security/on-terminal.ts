import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { NO_LOCAL_MODELS } from "../daemon/no-local-models.ts";

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

/** Runs the installed command at a pseudo-terminal, and returns everything that the terminal was sent. */
export async function onTerminal(
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const command = [process.execPath, COMMAND, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd,
    env: { TERM: "xterm", ...NO_LOCAL_MODELS, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await once(child, "close");
  return out;
}
