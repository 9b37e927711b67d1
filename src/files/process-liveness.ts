import { readFileSync } from "node:fs";
import { errnoOf } from "./file-fault.ts";

/**
 * Whether a process with this id exists and can still do anything: one that has ended but was never collected by its
 * parent does not count. The id may have been given to another process since; see `processStart`.
 */
export function processIsAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoOf(error) !== "EPERM") return false;
  }
  return !["Z", "X"].includes(statFields(pid)[0] ?? "");
}

/**
 * What tells a process from a later one with the same id: its start, counted by the kernel since boot, and the boot
 * itself. "" where the system does not say (anything but Linux) or the process is gone.
 */
export function processStart(pid: number): string {
  const start = statFields(pid)[19];
  return start === undefined ? "" : `${bootId()}/${start}`;
}

/** The fields of the kernel's process line from the state on; its name, before them, may hold anything. */
function statFields(pid: number): string[] {
  const line = readOrEmpty(`/proc/${pid}/stat`);
  return line === "" ? [] : line.slice(line.lastIndexOf(")") + 2).split(" ");
}

function bootId(): string {
  return readOrEmpty("/proc/sys/kernel/random/boot_id").trim();
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
