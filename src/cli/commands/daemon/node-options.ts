import { parseLease } from "../../../domain/node/lease.ts";
import { isNodeName } from "../../../domain/node/node.ts";
import { formatDuration } from "../../../domain/schedule/duration.ts";
import type { ChosenNode } from "../../../daemon/node/node-settings.ts";
import { UsageError } from "../../arguments/usage-error.ts";
import { wholeNumber } from "../../arguments/whole-number.ts";
import type { Terminal } from "../../output/terminal.ts";

/** Options of `daemon start` that say which node the daemon is. */
export const NODE_OPTIONS = {
  node: {
    value: "NAME",
    about: "The name of this node, where several share a store (default: made of the name of the machine)",
  },
  label: { value: "A,B", about: "Labels of this node, for runs_on" },
  capacity: { value: "N", about: "Execute at most so many runs at once" },
  lease: { value: "TIME", about: "So long after its last beat others take over (default: 10s)" },
} as const;

export interface NodeOptions {
  readonly node?: string | undefined;
  readonly label?: string | undefined;
  readonly capacity?: string | undefined;
  readonly lease?: string | undefined;
}

/** Reads the options, and where one is missing its variable: AGENT_WORKER_NODE, _LABELS, _CAPACITY, _LEASE. */
export function readNode(words: NodeOptions, env: Terminal["env"]): ChosenNode {
  const name = words.node ?? setting(env, "AGENT_WORKER_NODE");
  const labels = (words.label ?? setting(env, "AGENT_WORKER_LABELS"))?.split(",").map((label) => label.trim());
  const capacity = words.capacity ?? setting(env, "AGENT_WORKER_CAPACITY");
  for (const each of [...(name === undefined ? [] : [name]), ...(labels ?? [])]) {
    if (!isNodeName(each)) {
      throw new UsageError(`"${each}" is no name for a node or a label: letters, digits, dots, - and _, at most 63.`);
    }
  }
  const places = capacity === undefined ? undefined : wholeNumber("--capacity", capacity);
  if (places === 0) throw new UsageError("--capacity is at least 1.");
  const written = words.lease ?? setting(env, "AGENT_WORKER_LEASE");
  const lease = written === undefined ? undefined : parseLease(written);
  if (lease?.ok === false) throw new UsageError(`${lease.error.message} ${lease.error.hint ?? ""}`.trim());
  return {
    ...(name === undefined ? {} : { name }),
    ...(labels === undefined ? {} : { labels }),
    ...(places === undefined ? {} : { capacity: places }),
    ...(lease === undefined ? {} : { leaseMs: lease.value }),
  };
}

/** As a daemon registers which node it is. */
interface StartedNode {
  readonly name?: string | undefined;
  readonly labels?: readonly string[];
  readonly capacity?: number | null;
  readonly leaseMs?: number | undefined;
}

/** The same as arguments, for a daemon in a process of its own. */
export function nodeArguments({ name, labels, capacity, leaseMs }: StartedNode): string[] {
  return [
    ...(name === undefined ? [] : ["--node", name]),
    ...(labels === undefined || labels.length === 0 ? [] : ["--label", labels.join(",")]),
    ...(capacity === undefined || capacity === null ? [] : ["--capacity", String(capacity)]),
    ...(leaseMs === undefined ? [] : ["--lease", formatDuration(leaseMs)]),
  ];
}

function setting(env: Terminal["env"], name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === "" ? undefined : value;
}
