import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Answer } from "../daemon/installed-command.ts";

const COMMAND = join(import.meta.dirname, "../../../bin/agent-worker.js");

/** A user who is neither root nor the owner of anything here. Only root can act as that user. */
export const STRANGER = 65_534;
export const isRoot = process.getuid?.() === 0;

/** The installed command, typed in a shell with this umask. */
export async function runWithUmask(
  umask: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly command?: string },
): Promise<Answer> {
  const program = [process.execPath, options.command ?? COMMAND, ...args];
  const child = spawn("sh", ["-c", `umask ${umask}; exec "$@"`, "sh", ...program], {
    cwd: options.cwd,
    env: { PATH: process.env["PATH"], ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { exit: child.exitCode, out, err };
}

/** The files and folders at and below `folder` that are not 0600 or 0700, with their modes. */
export function widerThanOurs(folder: string): string[] {
  const names = [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
  return names.flatMap((name) => {
    const stats = lstatSync(join(folder, name));
    const mode = stats.mode & 0o777;
    return mode === (stats.isDirectory() ? 0o700 : 0o600) ? [] : [`${name} 0${mode.toString(8)}`];
  });
}
