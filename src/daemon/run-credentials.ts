import { hash, randomBytes } from "node:crypto";
import type { RunDoor, RunDoors } from "../runtime/daemon-context.ts";

/**
 * The tokens of runs, kept as hashes: looking one up tells nothing about it by the time it takes, and what is in memory
 * is no token. Their shape is known to `kernel/secret-shapes.ts`, so that one that an agent prints is never kept.
 */
export function createRunDoors(url: () => string): RunDoors {
  const doors = new Map<string, RunDoor>();
  return {
    open(door) {
      const token = `awr_${randomBytes(32).toString("base64url")}`;
      const key = hash("sha256", token);
      doors.set(key, door);
      return { url: url(), token, [Symbol.dispose]: () => void doors.delete(key) };
    },
    find: (token) => doors.get(hash("sha256", token)),
    get size() {
      return doors.size;
    },
  };
}
