import { z } from "zod";
import { waitingRunView } from "../runs.ts";

/** `GET /health`. Without a token the response has `status` only. */
export const healthView = z.object({
  status: z.enum(["starting", "ready", "degraded", "draining"]),
  /** Why it is degraded. */
  problems: z.array(z.string()),
  instance: z.string(),
  pid: z.int(),
  /** Where it listens, as clients on its machine write it. Daemons of earlier versions do not say it. */
  url: z.string().optional(),
  version: z.string(),
  /** The name of the node that the daemon is. */
  node: z.string().optional(),
  startedAt: z.iso.datetime(),
  uptimeMs: z.int(),
  /** Of all open projects. */
  agents: z.int(),
  projects: z.array(
    z.object({
      dir: z.string(),
      agents: z.int(),
      loops: z.int(),
      /** Runs that are executed now, and runs that have begun and wait: for something, or for their turn. */
      running: z.int(),
      waiting: z.int(),
      /** What the waiting ones wait for, and what a person can do. Those that wait for their turn are left out. */
      waits: z.array(waitingRunView),
      /** Deliveries that are not settled, and those of them that no run has taken. */
      open: z.int(),
      pending: z.int(),
      dead: z.int(),
      lostCommits: z.int(),
      /** Nobody trusted it: people can read it, and nothing happens. */
      atRest: z.boolean(),
      /** Everything was stopped with `stop --all`, and nobody has gone on with it yet. */
      stopped: z.boolean().optional(),
      /** Agents that can do more than a person allowed, and begin no run. */
      resting: z.array(z.string()),
      /** Agents with something to do that no node may run now: `alice waits for a node …`. */
      unplaced: z.array(z.string()).optional(),
      /** Agents that this node does not run, because its files are not those of the others: why, and what to do. */
      refused: z.array(z.object({ reason: z.string(), next: z.string() })).optional(),
      /** The nodes that work for it, when there are others than this one: `name (live)`. */
      nodes: z.array(z.object({ name: z.string(), state: z.enum(["live", "away", "left"]) })).optional(),
      /** Definition files that cannot be used, each with its first mistake: `file:line: message`. */
      broken: z.array(z.string()),
      /** Models of the guard that did not answer the last question for this agent, so that rules decide instead. */
      guardFailures: z.array(
        z.object({ agent: z.string(), model: z.string(), at: z.iso.datetime(), reason: z.string() }),
      ),
    }),
  ),
  /** Names of the variables with keys of providers that the daemon has. Daemons of earlier versions do not say it. */
  keys: z.array(z.string()).optional(),
  clients: z.object({ events: z.int(), runTokens: z.int() }),
  memory: z.object({ rss: z.int(), heapUsed: z.int() }),
});
export type HealthView = z.output<typeof healthView>;
