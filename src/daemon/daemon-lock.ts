import { join } from "node:path";
import { urlOf } from "../client/address.ts";
import { reachDaemon, type Reached } from "../client/reach.ts";
import { LOCK_FILE } from "../contract/service/discovery.ts";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { holdOwnerLock } from "../storage/sqlite/owner-lock.ts";

/** How long a daemon that is starting or leaving may take until it answers, or lets go. */
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 50;

/**
 * Makes this process the daemon of a home, for as long as the lock is held. Of many that try at once one wins; the
 * others wait until the winner answers, so that they can name it. A daemon that is on its way out is waited for.
 */
export async function holdHome(home: string, clock: Clock, patienceMs = PATIENCE_MS): Promise<Disposable> {
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    const lock = holdOwnerLock(join(home, LOCK_FILE));
    if (lock !== undefined) return { [Symbol.dispose]: () => lock.close() };
    const reached = await reachDaemon(home);
    if (reached.state === "there") {
      reached.link.connection[Symbol.dispose]();
      throw running(reached);
    }
    if (clock.monotonic() > deadline) throw silent(home);
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

function running({ daemon }: Extract<Reached, { state: "there" }>): Fault {
  const { pid, host, port } = daemon;
  return new Fault("daemon_running", `A daemon is already running: process ${pid} at ${urlOf(host, port)}.`, {
    hint: "Use that one, or stop it first: agent-worker daemon stop",
  });
}

function silent(home: string): Fault {
  return new Fault("daemon_running", `Another process holds ${home}, but does not answer.`, {
    hint: `Find and end it (lsof ${join(home, LOCK_FILE)} shows which it is), then start again.`,
  });
}
