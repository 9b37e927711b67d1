import { spawn } from "node:child_process";
import { once } from "node:events";

/** A server in a process of its own. Ended, and waited for, when it leaves scope. */
export interface SpawnedServer extends AsyncDisposable {
  /** What it said about its address on its first line. */
  readonly url: string;
  readonly pid: number;
}

export async function spawnServer(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> } = {},
): Promise<SpawnedServer> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    ended.then(([code]) => {
      throw new Error(`the server ended with ${code} before it was ready`);
    }),
  ]);
  const url = /http:\/\/[\d.]+:\d+/.exec(String(line))?.[0];
  if (url === undefined || child.pid === undefined) throw new Error(`the server said ${String(line)}`);
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
