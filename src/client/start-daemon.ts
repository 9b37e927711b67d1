import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import { LOGS_FOLDER, prepareHome } from "./prepare-home.ts";
import { reachDaemon } from "./reach.ts";
import { withoutProjectPrograms } from "./search-path.ts";
import type { AuthenticatedConnection } from "./transport/handshake.ts";

export interface StartOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly projectDir?: string;
  /** Further arguments of `daemon start`, such as a port. */
  readonly args?: readonly string[];
  readonly onProgress?: (text: string) => void;
  readonly timeoutMs?: number;
}

/**
 * A daemon is idle most of the time: V8's default semi-space would be a quarter of its memory, and one heap for each
 * thread another tenth.
 */
const NODE_FLAGS = ["--max-semi-space-size=2"];
const SMALL_HEAPS = { MALLOC_ARENA_MAX: "1" };
const LAUNCHER = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
/** Output of a daemon before its log is open, and of Node when it crashes. */
const OUTPUT_FILE = "daemon.out";
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_TAIL_BYTES = 2_000;
const TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/**
 * Starts a daemon that outlives this process, and waits until the home has a daemon that is ready. It may be the
 * daemon of another client that started one at the same time.
 */
export async function startDaemon(options: StartOptions): Promise<AuthenticatedConnection> {
  const { home, clock, timeoutMs = TIMEOUT_MS } = options;
  prepareHome(home);
  options.onProgress?.("Starting the daemon...");
  using output = openOutput(home);
  const child = spawnDaemon(options, output.file);
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    // Read first: a daemon that finds another one running exits only when that one responds.
    const ended = child.ended();
    const reached = await reachDaemon(home);
    if (reached.state === "ready") return reached.connection;
    if (ended || clock.monotonic() > deadline) throw startFailed(output.since());
    await clock.sleep(POLL_MS);
  }
}

function spawnDaemon({ home, env, projectDir, args = [] }: StartOptions, output: number | "ignore") {
  // Not imported: it is bundled with commands that seldom start a daemon.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const project = projectDir === undefined ? [] : ["--project", projectDir];
  // The consent of one command is not consent to everything that the daemon will open.
  const { AGENT_WORKER_URL: _url, AGENT_WORKER_TOKEN: _token, AGENT_WORKER_TRUST: _trust, ...inherited } = env;
  const cwd = projectDir ?? process.cwd();
  const searchPath = env["PATH"] === undefined ? {} : { PATH: withoutProjectPrograms(env["PATH"], cwd) };
  const child = spawn(
    process.execPath,
    [...NODE_FLAGS, LAUNCHER, "daemon", "start", "--foreground", ...project, ...args],
    {
      cwd: home,
      env: { ...SMALL_HEAPS, ...inherited, ...searchPath, AGENT_WORKER_HOME: home },
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
  /** What was written since it was opened, up to a limit. */
  since(): string;
}

function openOutput(home: string): Output {
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
    const path = join(home, LOGS_FOLDER, OUTPUT_FILE);
    removeUnlessPlain(path);
    const file = openSync(path, flags, 0o600);
    fchmodSync(file, 0o600);
    if (fstatSync(file).size > MAX_OUTPUT_BYTES) ftruncateSync(file);
    const { size } = fstatSync(file);
    return {
      file,
      since() {
        const text = Buffer.alloc(MAX_TAIL_BYTES);
        return text.toString("utf8", 0, readSync(file, text, 0, text.length, size)).trim();
      },
      [Symbol.dispose]: () => closeSync(file),
    };
  } catch {
    // A daemon without this file is better than none.
    return { file: "ignore", since: () => "", [Symbol.dispose]: () => {} };
  }
}

/** A link would lead to another file, and a pipe would not be read. */
function removeUnlessPlain(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && (!stats.isFile() || stats.nlink > 1)) rmSync(path, { force: true });
}

function startFailed(output: string): Fault {
  return new Fault("daemon_unreachable", `The daemon did not start.${output === "" ? "" : `\n${output}`}`, {
    hint: "See: agent-worker daemon logs, or start it where you can watch it: agent-worker daemon start --foreground",
  });
}
