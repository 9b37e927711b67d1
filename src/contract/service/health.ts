import { z } from "zod";

/** `GET /health`. Without a token the response has `status` only. */
export const healthView = z.object({
  status: z.enum(["starting", "ready", "degraded", "draining"]),
  /** Why it is degraded. */
  problems: z.array(z.string()),
  instance: z.string(),
  pid: z.int(),
  version: z.string(),
  startedAt: z.iso.datetime(),
  uptimeMs: z.int(),
  /** Of all open projects. */
  agents: z.int(),
  projects: z.array(
    z.object({
      dir: z.string(),
      agents: z.int(),
      /** All loops, and those that execute a run now. */
      loops: z.int(),
      running: z.int(),
      pending: z.int(),
      dead: z.int(),
      lostCommits: z.int(),
      /** Nobody trusted it: people can read it, and nothing happens. */
      atRest: z.boolean(),
      /** Agents that can do more than a person allowed, and begin no run. */
      resting: z.array(z.string()),
      /** Definition files that cannot be used, each with its first mistake: `file:line: message`. */
      broken: z.array(z.string()),
    }),
  ),
  clients: z.object({ events: z.int(), runTokens: z.int() }),
  memory: z.object({ rss: z.int(), heapUsed: z.int() }),
});
export type HealthView = z.output<typeof healthView>;
