import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** A process and all that it started. */
export interface TreeUse {
  /** Of all that live; on Linux also of children that have ended and were waited for. */
  readonly cpuMs: number;
  /** Proportional set size: memory that several processes share is counted once. Where there is no /proc: resident. */
  readonly pssMb: number;
  readonly processes: number;
}

interface ProcessUse {
  readonly parent: number;
  readonly cpuMs: number;
  readonly mb: () => number;
}

/** One unit of CPU time in /proc, on every Linux that Node runs on. */
const TICK_MS = 10;

export function useOfTree(root: number): TreeUse {
  const all = existsSync("/proc/self/smaps_rollup") ? processesOfLinux() : processesOfPs();
  const tree = [...all].filter(([pid]) => isBelow(pid, root, all)).map(([, use]) => use);
  const sum = (of: (use: ProcessUse) => number): number => tree.reduce((total, use) => total + of(use), 0);
  return { cpuMs: sum(({ cpuMs }) => cpuMs), pssMb: sum(({ mb }) => mb()), processes: tree.length };
}

function processesOfLinux(): Map<number, ProcessUse> {
  const all = new Map<number, ProcessUse>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    if (stat === "") continue;
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const mb = (): number => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${name}/smaps_rollup`))?.[1] ?? 0) / 1024;
    all.set(Number(name), { parent: Number(fields[1]), cpuMs: ticks * TICK_MS, mb });
  }
  return all;
}

/** Times as `ps` shows them: minutes:seconds.hundredths, with hours before them. */
function processesOfPs(): Map<number, ProcessUse> {
  const lines = execFileSync("ps", ["-axo", "pid=,ppid=,rss=,time="], { encoding: "utf8" }).trim().split("\n");
  return new Map(
    lines.map((line) => {
      const [pid, parent, kb, time = "0"] = line.trim().split(/\s+/);
      const seconds = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
      return [Number(pid), { parent: Number(parent), cpuMs: seconds * 1_000, mb: () => Number(kb) / 1024 }];
    }),
  );
}

function isBelow(pid: number, root: number, all: ReadonlyMap<number, ProcessUse>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent)
    if (at === root) return true;
  return false;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
