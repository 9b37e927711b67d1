import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";

export const LOGS_FOLDER = "logs";

/**
 * Creates the home: a folder that only this user can read, whatever the umask. A link, or a folder of another user, could
 * expose the token and is refused.
 */
export function prepareHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    makePrivate(home);
    mkdirSync(join(home, LOGS_FOLDER), { recursive: true, mode: 0o700 });
    makePrivate(join(home, LOGS_FOLDER));
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error)) throw error;
    const code = "code" in error ? String(error.code) : error.message;
    throw new Fault("home_unsafe", `The folder ${home} cannot be used (${code}).`, {
      cause: error,
      hint: "Make it a folder you may write to, or name another one with AGENT_WORKER_HOME.",
    });
  }
}

function makePrivate(folder: string): void {
  const stats = lstatSync(folder);
  const user = process.getuid?.();
  const objection = stats.isSymbolicLink()
    ? "is a symbolic link"
    : !stats.isDirectory()
      ? "is not a folder"
      : user !== undefined && stats.uid !== user
        ? "belongs to another user"
        : undefined;
  if (objection !== undefined) {
    throw new Fault("home_unsafe", `${folder} ${objection}: the daemon's token would not be safe in it.`, {
      hint: "Remove it, or name another folder with AGENT_WORKER_HOME.",
    });
  }
  if ((stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}
