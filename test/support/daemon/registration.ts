import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Discovery } from "../../../src/contract/service/discovery.ts";

export const STALE_TOKEN = "stale-token-stale-token-stale-token-stale-0";

/** A registration of a daemon that is gone, unless told otherwise. */
export function registration(more: Partial<Discovery> = {}): Discovery {
  return {
    pid: process.pid,
    host: "127.0.0.1",
    port: 1,
    token: STALE_TOKEN,
    instance: "own_gone",
    startedAt: "2026-01-01T00:00:00.000Z",
    version: "0.0.1",
    ...more,
  };
}

/** Writes `daemon.json` as a daemon would. */
export function register(home: string, content: string | Discovery, mode = 0o600): void {
  mkdirSync(home, { recursive: true });
  const file = join(home, "daemon.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(file, mode);
}
