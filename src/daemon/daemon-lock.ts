import { join } from "node:path";
import { urlOf } from "../client/address.ts";
import { reachDaemon, type Reached } from "../client/reach.ts";
import { LOCK_FILE } from "../contract/service/discovery.ts";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { holdOwnerLock } from "../storage/sqlite/owner-lock.ts";

/** How long another daemon may take to respond, or to release the lock. */
const TIMEOUT_MS = 20_000;
const RETRY_MS = 50;

/**
 * Makes this process the only daemon of a home, until the lock is disposed. Waits for a daemon that is stopping. If
 * another daemon is starting or running, waits until it responds, then throws a Fault that names it.
 */
export async function lockHome(home: string, clock: Clock, timeoutMs = TIMEOUT_MS): Promise<Disposable> {
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    const lock = holdOwnerLock(join(home, LOCK_FILE));
    if (lock !== undefined) return { [Symbol.dispose]: () => lock.close() };
    const reached = await reachDaemon(home);
    if (reached.state === "ready") {
      reached.connection[Symbol.dispose]();
      throw alreadyRunning(reached);
    }
    if (clock.monotonic() > deadline) throw notAnswering(home);
    await clock.sleep(RETRY_MS);
  }
}

function alreadyRunning({ daemon }: Extract<Reached, { state: "ready" }>): Fault {
  const { pid, host, port } = daemon;
  return new Fault("daemon_running", `A daemon is already running: process ${pid} at ${urlOf(host, port)}.`, {
    hint: "Use that one, or stop it first: agent-worker daemon stop",
  });
}

function notAnswering(home: string): Fault {
  return new Fault("daemon_running", `Another process holds ${home}, but does not answer.`, {
    hint: `Find and end it (lsof ${join(home, LOCK_FILE)} shows which it is), then start again.`,
  });
}
