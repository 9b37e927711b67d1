import type { Clock } from "../../kernel/clock.ts";

const LOOK_EVERY_MS = 5;
/** Where nobody collects the dead, they are counted among the living for ever. */
const LONGEST_LOOK_MS = 1_000;

/** Nothing happens when the group is gone already, which is what was wanted. */
export function signalGroup(leader: number | undefined, name: NodeJS.Signals): void {
  if (leader !== undefined) send(leader, name);
}

/** Kills what is left of a group and waits until it is gone: a killed process is there for a moment longer. */
export async function endGroup(clock: Clock, leader: number | undefined): Promise<void> {
  if (leader === undefined || !send(leader, "SIGKILL")) return;
  const over = clock.monotonic() + LONGEST_LOOK_MS;
  while (send(leader, 0) && clock.monotonic() < over) await clock.sleep(LOOK_EVERY_MS);
}

function send(leader: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, name);
  } catch {
    return false;
  }
}
