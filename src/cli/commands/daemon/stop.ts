import { connectToDaemon } from "../../../client/connect.ts";
import { readDiscovery } from "../../../client/discovery.ts";
import { homeFolder } from "../../../client/home.ts";
import { prepareHome } from "../../../client/prepare-home.ts";
import { processIsAlive } from "../../../files/process-liveness.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { Fault } from "../../../kernel/fault.ts";
import { defineCommand } from "../../command.ts";
import type { Invocation } from "../../invocation.ts";

export const daemonStop = defineCommand({
  about: "Stops the daemon in order: what agents are doing is kept, and goes on when the daemon is started again.",
  examples: ["agent-worker daemon stop"],
  run: (invocation) => stopDaemon(invocation),
});

const POLL_MS = 50;

export async function stopDaemon(invocation: Invocation): Promise<number> {
  if (!(await stopAndWait(invocation.terminal.env))) {
    return invocation.print({ stopped: false }, "The daemon does not run.\n");
  }
  return invocation.print(
    { stopped: true },
    "The daemon has stopped. What is open goes on when it is started again.\n",
  );
}

/** The same, and leaves a mark by which the next daemon begins no work until a person goes on. */
export async function stopEverything({ terminal, print }: Invocation): Promise<number> {
  const { holdWork } = await import("../../../daemon/work-hold.ts");
  const home = homeFolder(terminal.env);
  prepareHome(home);
  const stopped = await stopAndWait(terminal.env);
  holdWork(home);
  const was = stopped ? "The daemon has stopped, and everything" : "The daemon does not run, and everything";
  return print(
    { stopped, held: true },
    `${was} stays stopped. A project goes on with its next run, start or send; all go on with: agent-worker daemon start\n`,
  );
}

/** Stops the daemon and waits until its process has ended. Returns false when none was running. */
export async function stopAndWait(env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const registration = readDiscovery(homeFolder(env));
  try {
    using client = await connectToDaemon({ env });
    await client.shutdown();
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "daemon_unreachable") throw error;
    return false;
  }
  // The daemon accepts no more requests, but its process may still be closing files.
  if (registration.state === "claimed") {
    while (processIsAlive(registration.daemon.pid)) await systemClock.sleep(POLL_MS);
  }
  return true;
}
