import { z } from "zod";

/** How a daemon that listens on more than loopback is protected. Paths are absolute. */
export const exposure = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("tls"), cert: z.string(), key: z.string() }),
  z.object({ kind: z.literal("proxy"), name: z.string() }),
]);
export type Exposure = z.output<typeof exposure>;

/**
 * `daemon.json`: how other programs of the same user find the daemon. It holds the person's token, so it is readable by
 * its owner only. The file alone proves nothing: a daemon runs when `GET /health` with this token returns the same
 * `instance`.
 */
export const discovery = z.object({
  pid: z.int().positive(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  token: z.string().min(32),
  /** Id of the daemon instance. */
  instance: z.string(),
  startedAt: z.iso.datetime(),
  version: z.string(),
  /** Absent: it listens on loopback. */
  exposure: exposure.optional(),
  /** Which node it was started as. A daemon that is started again is the same. */
  node: z
    .object({
      name: z.string().optional(),
      labels: z.array(z.string()),
      capacity: z.int().nullable(),
      /** Absent: the usual one. */
      leaseMs: z.int().optional(),
    })
    .optional(),
});
export type Discovery = z.output<typeof discovery>;

export const DISCOVERY_FILE = "daemon.json";
/** Locked by the daemon of this home while it runs. */
export const LOCK_FILE = "daemon.lock";
