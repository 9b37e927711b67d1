import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DEFAULT_LEASE_MS, parseLease } from "../../domain/node/lease.ts";
import { isNodeName } from "../../domain/node/node.ts";
import { checkPrivateFile, writePrivateFile } from "../../files/private-file.ts";

/** Which node a daemon is in its projects. */
export interface NodeSettings {
  readonly name: string;
  readonly labels: readonly string[];
  /** How many runs it executes at once at most; null for no limit. */
  readonly capacity: number | null;
  readonly machine: string;
  /** So long after its last beat others take over its runs. */
  readonly leaseMs: number;
  /** Nobody chose the name, so it must not be in the way of another daemon of the same machine. */
  readonly isUnnamed?: boolean;
}

export type ChosenNode = Partial<Pick<NodeSettings, "name" | "labels" | "capacity" | "leaseMs">>;

/** What was not chosen: the name of the machine, no labels, and no limit. */
export function nodeSettings(home: string, chosen: ChosenNode = {}): NodeSettings {
  return {
    name: chosen.name ?? machineName(),
    labels: chosen.labels ?? [],
    capacity: chosen.capacity ?? null,
    machine: machineId(home),
    leaseMs: chosen.leaseMs ?? DEFAULT_LEASE_MS,
    isUnnamed: chosen.name === undefined,
  };
}

/** What the variables AGENT_WORKER_NODE, AGENT_WORKER_LABELS, AGENT_WORKER_CAPACITY and AGENT_WORKER_LEASE choose. */
export function nodeInEnvironment(env: Readonly<Record<string, string | undefined>>): ChosenNode {
  const name = env["AGENT_WORKER_NODE"] ?? "";
  const labels = (env["AGENT_WORKER_LABELS"] ?? "").split(",").map((label) => label.trim());
  const capacity = Number(env["AGENT_WORKER_CAPACITY"] ?? "");
  const lease = parseLease(env["AGENT_WORKER_LEASE"] ?? "");
  return {
    ...(isNodeName(name) ? { name } : {}),
    ...(labels.every(isNodeName) ? { labels } : {}),
    ...(Number.isSafeInteger(capacity) && capacity > 0 ? { capacity } : {}),
    ...(lease.ok ? { leaseMs: lease.value } : {}),
  };
}

/** The name of a node that nobody named, where others share the store. */
export function nameAmongOthers({ name, machine, isUnnamed }: NodeSettings): string {
  return isUnnamed === true ? `${name.slice(0, 50)}-${machine.slice(0, 4)}` : name;
}

/** For a project that is opened without a daemon. */
export function loneNode(): NodeSettings {
  return { name: machineName(), labels: [], capacity: null, machine: randomUUID(), leaseMs: DEFAULT_LEASE_MS };
}

function machineName(): string {
  const name = hostname().split(".", 1)[0] ?? "";
  return isNodeName(name) ? name : "node";
}

const FILE = "machine";

/** Made once for each home. A home is locked by one daemon, so the earlier node with the same id has ended. */
function machineId(home: string): string {
  const file = join(home, FILE);
  const known = checkPrivateFile(file) === undefined ? "" : readFileSync(file, "utf8").trim();
  if (known !== "") return known;
  const made = randomUUID();
  writePrivateFile(file, `${made}\n`);
  return made;
}
