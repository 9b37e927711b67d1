import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { LOGS_FOLDER, prepareHome } from "./prepare-home.ts";
import { reachDaemon } from "./reach.ts";
import type { AuthenticatedConnection } from "./transport/connection-pool.ts";

/**
 * Starts a daemon that outlives this process, and waits until one answers: perhaps not the one started here, as others
 * may start one at the same moment and only one can be the daemon of the home.
 */
export interface StartOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly projectDir?: string;
  /** Further arguments of `daemon start`, such as a port. */
  readonly args?: readonly string[];
  readonly onProgress?: (text: string) => void;
  /** How long it may take. */
  readonly timeoutMs?: number;
}

/**
 * How Node runs a daemon. Most of its life it has next to nothing to do: a nursery of the usual size for new objects
 * would cost a quarter of its memory, and a heap of its own for each thread another tenth.
 */
const NODE_FLAGS = ["--max-semi-space-size=2"];
const SMALL_HEAPS = { MALLOC_ARENA_MAX: "1" };
const LAUNCHER = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
/** What a daemon says before its log is open, and what Node says when it dies. */
const OUTPUT_FILE = "daemon.out";
const LARGEST_OUTPUT = 1024 * 1024;
const LONGEST_TAIL = 2_000;
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 20;

export async function startDaemon(options: StartOptions): Promise<AuthenticatedConnection> {
  const { home, clock, timeoutMs = PATIENCE_MS } = options;
  prepareHome(home);
  options.onProgress?.("Starting the daemon...");
  using output = openOutput(home);
  const child = spawnDaemon(options, output.file);
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    // Asked first: one that finds another daemon in its way ends only when that one answers.
    const ended = child.ended();
    const reached = await reachDaemon(home);
    if (reached.state === "there") return reached.link;
    if (ended || clock.monotonic() > deadline) throw startFailed(output.since());
    await clock.sleep(LOOK_AGAIN_MS);
  }
}

function spawnDaemon({ home, env, projectDir, args = [] }: StartOptions, output: number | "ignore") {
  // Not imported: the commands that seldom start a daemon are one file with this one.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const project = projectDir === undefined ? [] : ["--project", projectDir];
  const { AGENT_WORKER_URL: _url, AGENT_WORKER_TOKEN: _token, ...inherited } = env;
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, LAUNCHER, "daemon", "start", "--foreground", ...project, ...args],
    {
      cwd: home,
      env: { ...SMALL_HEAPS, ...inherited, AGENT_WORKER_HOME: home },
      detached: true,
      stdio: ["ignore", output, output],
    },
  );
  let ended = false;
  const onEnd = (): void => void (ended = true);
  child.on("error", onEnd).on("exit", onEnd);
  child.unref();
  return { ended: () => ended };
}

interface Output extends Disposable {
  readonly file: number | "ignore";
  /** What was written since it was opened, as far as it fits. */
  since(): string;
}

function openOutput(home: string): Output {
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const file = openSync(join(home, LOGS_FOLDER, OUTPUT_FILE), flags, 0o600);
    fchmodSync(file, 0o600);
    if (fstatSync(file).size > LARGEST_OUTPUT) ftruncateSync(file);
    const { size } = fstatSync(file);
    return {
      file,
      since() {
        const text = Buffer.alloc(LONGEST_TAIL);
        return text.toString("utf8", 0, readSync(file, text, 0, text.length, size)).trim();
      },
      [Symbol.dispose]: () => closeSync(file),
    };
  } catch {
    // A daemon that cannot say why it ended is better than none.
    return { file: "ignore", since: () => "", [Symbol.dispose]: () => {} };
  }
}

function startFailed(said: string): Fault {
  return new Fault("daemon_unreachable", `The daemon did not start.${said === "" ? "" : `\n${said}`}`, {
    hint: "See: agent-worker daemon logs, or start it where you can watch it: agent-worker daemon start --foreground",
  });
}
