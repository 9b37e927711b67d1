import { readdir, readFile } from "node:fs/promises";
import type { Clock } from "../../kernel/clock.ts";

/** From SIGTERM to SIGKILL. */
const GRACE_MS = 2_000;
const POLL_MS = 5;
const MAX_WAIT_MS = 1_000;

/** Asks a group to end, and kills it after a while unless `ended` is aborted before. */
export function stopGroup(clock: Clock, leader: number | undefined, ended: AbortSignal): void {
  if (leader === undefined) return;
  send(leader, "SIGTERM");
  clock.sleep(GRACE_MS, ended).then(
    () => send(leader, "SIGKILL"),
    () => {},
  );
}

/** Kills the rest of a group and waits until it is gone: a killed process exists for a moment longer. */
export async function endGroup(clock: Clock, leader: number | undefined): Promise<void> {
  if (leader === undefined || !send(leader, "SIGKILL")) return;
  const deadline = clock.monotonic() + MAX_WAIT_MS;
  while (send(leader, 0) && (await isAlive(leader)) && clock.monotonic() < deadline) await clock.sleep(POLL_MS);
}

/** Whether the group has a process that is not a zombie: signals reach zombies too. True on systems without /proc. */
async function isAlive(leader: number): Promise<boolean> {
  const processes = await readdir("/proc").catch(() => null);
  if (processes === null) return true;
  const states = await Promise.all(
    processes
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
        const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return group === String(leader) && state !== "Z" && state !== "X";
      }),
  );
  return states.includes(true);
}

function send(leader: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, name);
  } catch {
    return false;
  }
}
