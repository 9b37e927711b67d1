import { z } from "zod";

/**
 * `daemon.json`: how other programs of the same user find the daemon. It holds the person's token, so it is readable by
 * its owner only. A file alone proves nothing: a daemon is there when it answers `GET /health` with this token's
 * `instance`.
 */
export const discovery = z.object({
  pid: z.int().positive(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  token: z.string().min(32),
  /** Names this life of the daemon. */
  instance: z.string(),
  startedAt: z.iso.datetime(),
  version: z.string(),
});
export type Discovery = z.output<typeof discovery>;

export const DISCOVERY_FILE = "daemon.json";
/** Held by the daemon as long as it lives: whoever has it is the daemon of this home. */
export const LOCK_FILE = "daemon.lock";
