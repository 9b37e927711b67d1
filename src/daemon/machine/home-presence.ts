import { lstatSync } from "node:fs";
import { errnoOf } from "../../files/file-fault.ts";
import type { Clock } from "../../kernel/clock.ts";

const LOOK_MS = 5_000;

/**
 * Calls `onGone` once when the home of a daemon is removed, or another folder is in its place. Its token, its registration
 * and its lock are gone then: no command reaches it or stops it, and a new daemon may take its place.
 */
export function watchHome(home: string, clock: Clock, onGone: () => void): Disposable {
  const first = folderOf(home);
  const ended = new AbortController();
  const look = async (): Promise<void> => {
    do await clock.sleep(LOOK_MS, ended.signal);
    while (first === undefined || (folderOf(home) ?? first) === first);
    onGone();
  };
  look().catch(() => {});
  return { [Symbol.dispose]: () => ended.abort() };
}

const NONE = "none";

/** Names the folder itself, not its path. Undefined when it cannot be looked at. */
function folderOf(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev} ${ino}`;
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? NONE : undefined;
  }
}
