import { readdirSync, readFileSync } from "node:fs";

/** A process and all that it started, as Linux counts them. */
export interface TreeUse {
  /** Of all that live, and of children that have ended and were waited for. */
  readonly cpuMs: number;
  /** Proportional set size: memory that several processes share is counted once. */
  readonly pssMb: number;
  readonly processes: number;
}

/** One unit of CPU time in /proc, on every Linux that Node runs on. */
const TICK_MS = 10;

export function useOfTree(root: number): TreeUse {
  const parents = new Map<number, number>();
  const cpu = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : "";
    if (stat === "") continue;
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    parents.set(Number(name), Number(fields[1]));
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    cpu.set(Number(name), ticks * TICK_MS);
  }
  const tree = [...parents.keys()].filter((pid) => isBelow(pid, root, parents));
  const sum = (of: (pid: number) => number): number => tree.reduce((total, pid) => total + of(pid), 0);
  return { cpuMs: sum((pid) => cpu.get(pid) ?? 0), pssMb: sum(pssOf) / 1024, processes: tree.length };
}

function isBelow(pid: number, root: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
  return false;
}

function pssOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
