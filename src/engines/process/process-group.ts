import { readdir, readFile } from "node:fs/promises";
import type { Clock } from "../../kernel/clock.ts";

const LOOK_EVERY_MS = 5;
const LONGEST_LOOK_MS = 1_000;

/** Nothing happens when the group is gone already, which is what was wanted. */
export function signalGroup(leader: number | undefined, name: NodeJS.Signals): void {
  if (leader !== undefined) send(leader, name);
}

/** Kills what is left of a group and waits until it is gone: a killed process is there for a moment longer. */
export async function endGroup(clock: Clock, leader: number | undefined): Promise<void> {
  if (leader === undefined || !send(leader, "SIGKILL")) return;
  const over = clock.monotonic() + LONGEST_LOOK_MS;
  while (send(leader, 0) && (await isAlive(leader)) && clock.monotonic() < over) await clock.sleep(LOOK_EVERY_MS);
}

/** A dead process that nobody collects counts as one of its group for ever. Where that cannot be seen it is believed. */
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
