import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../../client/client.ts";
import type { HealthView } from "../../contract/service/health.ts";

/**
 * Reads what the daemon says about itself. When it misses a database, that of this project may be the one: moved with its
 * folder. Then the daemon is asked to look at the project where it is now, before it is believed.
 */
export async function daemonHealth(client: Pick<Client, "health" | "call">, projectDir: string): Promise<HealthView> {
  const health = await client.health();
  const isElsewhere = !health.projects.some(({ dir }) => dir === projectDir);
  if (health.problems.length === 0 || !isElsewhere || !existsSync(join(projectDir, ".workspace"))) return health;
  await client.call("show-trust", {}).catch(() => undefined);
  return client.health();
}
