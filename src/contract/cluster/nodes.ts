import { z } from "zod";
import { declareQuery } from "../operation.ts";

/** One daemon that works for the project. */
export const nodeView = z.object({
  name: z.string(),
  /** `away`: it did not stop, and has not been heard of for longer than its lease. */
  state: z.enum(["live", "away", "left"]),
  /** It is the daemon that answers. */
  self: z.boolean(),
  /** It fires schedules and rules and removes old data, for all. */
  lead: z.boolean(),
  startedAt: z.iso.datetime(),
  lastBeat: z.iso.datetime(),
  /** So many milliseconds after its last beat others take over its runs. */
  leaseMs: z.int(),
  labels: z.array(z.string()),
  engines: z.array(z.string()),
  /** How many runs it executes at once at most; null for no limit. */
  capacity: z.int().nullable(),
  /** The agents whose runs it executes now. */
  running: z.array(z.string()),
  version: z.string(),
  /**
   * Agents whose definition on this node is not that of the node that joined first, with the keys that differ: it may not
   * run them.
   */
  differs: z.array(z.object({ agent: z.string(), keys: z.array(z.string()) })),
});
export type NodeView = z.output<typeof nodeView>;

export const listNodes = declareQuery({
  name: "list-nodes",
  summary: "List the nodes of the project: which daemons work for it, what each can run and what it runs now.",
  method: "GET",
  path: "/nodes",
  personTool: "node_list",
  input: z.object({}),
  output: z.object({ nodes: z.array(nodeView) }),
});
