import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Clients of a stream in a process of their own, so that what they cost is not counted as ours. */
export interface ReadingClients extends Disposable {
  /** All have the beginning of the stream. */
  readonly ready: Promise<void>;
  /** All have its last event. */
  readonly done: Promise<void>;
}

export function startReadingClients(url: string, count: number, mark: string): ReadingClients {
  const program = fileURLToPath(new URL("./stream-readers.ts", import.meta.url));
  const child = spawn(process.execPath, [program, url, String(count), mark], { stdio: ["ignore", "pipe", "inherit"] });
  const [ready, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  createInterface({ input: child.stdout }).on("line", (line) => (line === "ready" ? ready : done).resolve());
  return { ready: ready.promise, done: done.promise, [Symbol.dispose]: () => void child.kill() };
}
