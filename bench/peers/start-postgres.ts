import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A PostgreSQL for the peers that need one, or why there is none. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  readonly pids: readonly number[];
  readonly problem?: string;
}

export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "agent-worker-bench-postgres-"));
  chmodSync(folder, 0o755); // As root, PostgreSQL runs as another user.
  const program = fileURLToPath(new URL("programs/postgres-server.ts", import.meta.url));
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-1_000)));
  const exit = once(child, "exit").then(() => undefined);
  const line = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exit]);
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  if (line === undefined || child.pid === undefined)
    return { url: "", pids: [], problem: `PostgreSQL did not start: ${said}`, [Symbol.asyncDispose]: async () => {} };
  return { url: String(line[0]).trim(), pids: [child.pid], [Symbol.asyncDispose]: stop };
}
