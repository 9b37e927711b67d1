import { connectToDaemon } from "../client/connect.ts";
import { readDiscovery } from "../client/discovery.ts";
import { homeFolder } from "../client/home.ts";
import { processIsAlive } from "../files/process-liveness.ts";
import { systemClock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Invocation } from "./invocation.ts";

const LOOK_AGAIN_MS = 50;

/** Stops the daemon and waits until it is gone. One that does not run is stopped already. */
export async function stopDaemon(invocation: Invocation): Promise<number> {
  const { env } = invocation.terminal;
  const registration = readDiscovery(homeFolder(env));
  try {
    using client = await connectToDaemon({ env });
    await client.shutdown();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "daemon_unreachable") throw error;
    return invocation.answer({ stopped: false }, "The daemon does not run.\n");
  }
  // It no longer answers, but may still be putting things away.
  if (registration.state === "claimed") {
    while (processIsAlive(registration.daemon.pid)) await systemClock.sleep(LOOK_AGAIN_MS);
  }
  return invocation.answer(
    { stopped: true },
    "The daemon has stopped. What is open goes on when it is started again.\n",
  );
}
