import { readFileSync } from "node:fs";
import { errnoOf } from "./file-fault.ts";

/**
 * Whether a process with this id is running; a zombie is not. The id may have been reused by another process since: see
 * `processStart`.
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
 * Distinguishes a process from a later one with the same id: the id of the boot and the start time since boot; where there
 * is no `/proc`, what `ps` says about its start. "" when the process has ended, or nothing is known.
 */
export function processStart(pid: number, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "linux") return pid === process.pid ? (ownStart ??= startByPs(pid)) : startByPs(pid);
  const start = statFields(pid)[19];
  return start === undefined ? "" : `${readOrEmpty("/proc/sys/kernel/random/boot_id").trim()}/${start}`;
}

let ownStart: string | undefined;

/** The same flags work on macOS and on Linux. */
function startByPs(pid: number): string {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { env, encoding: "utf8", timeout: 5_000 });
  return (stdout ?? "").trim().replace(/\s+/g, " ");
}

/** The fields of `/proc/PID/stat` from the state on. The program name before them may contain anything. */
function statFields(pid: number): string[] {
  const line = readOrEmpty(`/proc/${pid}/stat`);
  return line === "" ? [] : line.slice(line.lastIndexOf(")") + 2).split(" ");
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
