import { LAUNCHER } from "./program-time.ts";
import { spawnServer, type SpawnedServer } from "./spawned-server.ts";

/** The daemon as `client/start-daemon.ts` starts it, on any free port. */
export function spawnDaemon({
  home,
  project,
  env = {},
}: {
  readonly home: string;
  readonly project: string;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<SpawnedServer> {
  return spawnServer(
    [
      "--max-semi-space-size=2",
      LAUNCHER,
      "daemon",
      "start",
      "--foreground",
      "--trust",
      "--port",
      "0",
      "--project",
      project,
    ],
    { env: { ...process.env, ...env, MALLOC_ARENA_MAX: "1", AGENT_WORKER_HOME: home } },
  );
}
