import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../files/private-file.ts";
import type { WorkHold } from "../runtime/work-hold.ts";

/**
 * What `stop --all` leaves in the home: the next daemon begins no work, whoever starts it, until a person goes on with a
 * project or starts the daemon on purpose. The file names the projects that go on.
 */
const HOLD_FILE = "stopped.json";
const content = z.object({ goingOn: z.array(z.string()) });

export function openWorkHold(home: string): WorkHold {
  const path = join(home, HOLD_FILE);
  const listeners = new Map<string, Set<() => void>>();
  let goingOn = existsSync(path) ? new Set(read(path)) : undefined;

  const tell = (dirs: Iterable<string>): void => {
    for (const dir of dirs) {
      const told = [...(listeners.get(dir) ?? [])];
      listeners.delete(dir);
      for (const listener of told) listener();
    }
  };
  return {
    isHeld: (dir) => goingOn?.has(dir) === false,
    goOn(dir) {
      if (goingOn?.has(dir) !== false) return;
      goingOn.add(dir);
      writePrivateFile(path, `${JSON.stringify({ goingOn: [...goingOn] })}\n`);
      tell([dir]);
    },
    goOnEverywhere() {
      if (goingOn === undefined) return;
      goingOn = undefined;
      rmSync(path, { force: true });
      tell([...listeners.keys()]);
    },
    whenGoingOn(dir, listener) {
      const waiting = listeners.get(dir) ?? new Set();
      listeners.set(dir, waiting.add(listener));
      return { [Symbol.dispose]: () => void waiting.delete(listener) };
    },
  };
}

/** Lets the next daemon begin no work. The daemon of the home must not run. */
export function holdWork(home: string): void {
  writePrivateFile(join(home, HOLD_FILE), `${JSON.stringify({ goingOn: [] })}\n`);
}

/** Lets the next daemon work. */
export function releaseWork(home: string): void {
  rmSync(join(home, HOLD_FILE), { force: true });
}

function read(path: string): readonly string[] {
  try {
    return content.parse(JSON.parse(readFileSync(path, "utf8"))).goingOn;
  } catch {
    return [];
  }
}
