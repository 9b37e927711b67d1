import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** True when the process ends within two seconds. Killed and not yet reaped by its parent counts as ended. */
export async function processGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      if (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") === true) return true;
    } catch {
      return true;
    }
    await pause(20);
  }
  return false;
}
