import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import type { Clock } from "../../kernel/clock.ts";
import { endGroup, stopGroup } from "../process/process-group.ts";
import { holdGroup } from "../process/process-reaper.ts";
import { createBoundedOutput } from "../shared/bounded-output.ts";
import { lastLine } from "../shared/failure-text.ts";

/**
 * A program that speaks JSON lines on its standard input and output, in its own process group. The group ends
 * with the session, the program or this process, whichever ends first.
 */
export interface AcpProcess extends AsyncDisposable {
  readonly stream: Stream;
  /** How it ended, with the last line of its standard error, as the end of a sentence. Never rejects. */
  readonly ended: Promise<string>;
  /** Calls the listener for every chunk of output. Returns a function that stops this. */
  onOutput(listener: () => void): () => void;
}

export interface AcpProgram {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const MAX_STDERR = 4 * 1024;
const MAX_MESSAGE = 16 * 1024 * 1024;

/** Rejects with the system error when the process cannot be started. */
export async function startAcpProcess(clock: Clock, { program, args, cwd, env }: AcpProgram): Promise<AcpProcess> {
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const ended = Promise.withResolvers<string>();
  const stderr = createBoundedOutput({ end: MAX_STDERR });
  child.once("exit", (code, signal) => {
    const end = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
    const error = lastLine(stderr.tail());
    ended.resolve(error === "" ? end : `${end}: ${error}`);
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).on("error", reject);
  });
  const held = holdGroup(child.pid);
  // The program may end without reading all of its input.
  child.stdin.on("error", () => {});
  child.stdout.on("error", () => {});
  child.stderr.on("error", () => {}).on("data", (chunk: Buffer) => stderr.add(chunk.toString("utf8")));

  // Its background processes end with it.
  const gone = ended.promise.then(async () => {
    await endGroup(clock, child.pid);
    held[Symbol.dispose]();
  });

  return {
    stream: ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout), {
      maxMessageBytes: MAX_MESSAGE,
    }),
    ended: ended.promise,
    onOutput: (listener) => {
      child.stdout.on("data", listener);
      return () => void child.stdout.off("data", listener);
    },
    [Symbol.asyncDispose]: async () => {
      const settled = new AbortController();
      stopGroup(clock, child.pid, settled.signal);
      await gone;
      settled.abort();
      child.stdin.destroy();
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}
