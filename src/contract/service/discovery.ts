import { z } from "zod";

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
  /** Which node it was started as. A daemon that is started again is the same. */
  node: z.object({ name: z.string(), labels: z.array(z.string()), capacity: z.int().nullable() }).optional(),
});
export type Discovery = z.output<typeof discovery>;

export const DISCOVERY_FILE = "daemon.json";
/** Locked by the daemon of this home while it runs. */
export const LOCK_FILE = "daemon.lock";
