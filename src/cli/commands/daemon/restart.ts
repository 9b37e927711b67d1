import { urlOf } from "../../../client/address.ts";
import { readDiscovery } from "../../../client/discovery.ts";
import { homeFolder } from "../../../client/home.ts";
import { systemClock } from "../../../kernel/clock.ts";
import { Fault } from "../../../kernel/fault.ts";
import { defineCommand } from "../../command.ts";
import { exposureArguments } from "./listening-options.ts";
import { nodeArguments } from "./node-options.ts";
import { goOn } from "./start.ts";
import { stopAndWait } from "./stop.ts";

export const daemonRestart = defineCommand({
  about: [
    "Stops the daemon in order and starts the one that belongs to this command, at the same address and as the same node.",
    "What agents are doing is kept and goes on. If the daemon does not run, it is started.",
    "With --trust, or AGENT_WORKER_TRUST=1, the new one trusts every project it opens, as for daemon start.",
  ].join("\n"),
  examples: ["agent-worker daemon restart"],

  async run(invocation) {
    const { env, progress } = invocation.terminal;
    const home = homeFolder(env);
    const before = readDiscovery(home);
    progress("Stopping the daemon...");
    const stopped = await stopAndWait(env);
    await goOn(home, env, false);
    const address =
      stopped && before.state === "claimed" ? ["--port", String(before.daemon.port), "--host", before.daemon.host] : [];
    const node = before.state === "claimed" ? before.daemon.node : undefined;
    const exposure = before.state === "claimed" ? before.daemon.exposure : undefined;
    const args = [
      ...address,
      ...exposureArguments(exposure),
      ...nodeArguments(node ?? {}),
      ...(invocation.trust ? ["--trust"] : []),
    ];
    const { startDaemon } = await import("../../../client/start-daemon.ts");
    const projectDir = invocation.projectDir();
    const connection = await startDaemon({ home, env, clock: systemClock, projectDir, args, onProgress: progress });
    connection[Symbol.dispose]();
    const after = readDiscovery(home);
    if (after.state !== "claimed") {
      throw new Fault("daemon_unreachable", "The daemon stopped as soon as it had started.");
    }
    const { pid, version, host, port } = after.daemon;
    const url = urlOf(host, port);
    return invocation.print(
      { url, pid, version, stopped },
      `The daemon ${stopped ? "runs again" : "runs"} at ${url} (process ${pid}), version ${version}.\n`,
    );
  },
});
