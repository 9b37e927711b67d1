import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A process that works as a node of the bare loop or of pg-boss does. */
export interface WorkerProcess extends AsyncDisposable {
  readonly pid: number;
  /** When its turns began, in milliseconds since the epoch. */
  readonly begun: readonly number[];
  kill(): void;
}

export async function startWorker(kind: "bare" | "boss", ...args: readonly string[]): Promise<WorkerProcess> {
  const program = new URL(`./${kind}-process.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const begun: number[] = [];
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") resolve();
      else if (line.startsWith("begun ")) begun.push(Number(line.split(" ")[1]));
    });
    void ended.then(() => reject(new Error(`a worker of ${kind} ended`)));
  });
  return {
    pid: child.pid ?? 0,
    begun,
    kill: () => child.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
