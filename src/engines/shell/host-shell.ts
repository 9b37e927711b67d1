import { spawn, type ChildProcess } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../kernel/clock.ts";
import type { Shell, ShellCommand, ShellResult } from "../../ports/shell.ts";

/**
 * A command in `sh`, in a process group of its own so that nothing it started survives it, with standard input closed
 * and an environment of what every program needs, plus what it was given. Secrets of the daemon are not among it.
 */
const KEPT_OUTPUT_CHARS = 16 * 1024 * 1024;
const KEPT_ERROR_CHARS = 4 * 1024;
const GRACE_MS = 2_000;

const PASSED_ON = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TERM"];

export function createHostShell(clock: Clock, env: Readonly<Record<string, string | undefined>>): Shell {
  const base = Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
  return { run: (command, signal) => runCommand(clock, { ...base, ...command.env }, command, signal) };
}

async function runCommand(
  clock: Clock,
  env: Readonly<Record<string, string>>,
  { command, cwd, timeoutMs, watch }: ShellCommand,
  signal: AbortSignal,
): Promise<ShellResult> {
  signal.throwIfAborted();
  const child = spawn("sh", ["-c", command], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child.stdout, KEPT_OUTPUT_CHARS, "start", watch);
  const errors = collect(child.stderr, KEPT_ERROR_CHARS, "end", watch);
  const settled = new AbortController();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code));
  });

  let timedOut = false;
  const kill = (): void => void killGroup(child, clock, settled.signal);
  signal.addEventListener("abort", kill, { once: true });
  clock.sleep(timeoutMs, settled.signal).then(
    () => {
      timedOut = true;
      kill();
    },
    () => {},
  );
  try {
    const code = await ended;
    signal.throwIfAborted();
    return {
      code,
      timedOut,
      output: output.text().replace(/\r?\n$/, ""),
      truncated: output.truncated(),
      errors: errors.text().trim(),
    };
  } finally {
    settled.abort();
    signal.removeEventListener("abort", kill);
    signalGroup(child, "SIGKILL");
  }
}

async function killGroup(child: ChildProcess, clock: Clock, settled: AbortSignal): Promise<void> {
  signalGroup(child, "SIGTERM");
  await clock.sleep(GRACE_MS, settled).catch(() => {});
  signalGroup(child, "SIGKILL");
}

/** The group may be gone already; that is what was wanted. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // ESRCH
  }
}

/** Keeps the start or the end of a stream and reads the rest to nowhere, so that the writer never blocks. */
function collect(
  stream: NodeJS.ReadableStream | null,
  limit: number,
  keep: "start" | "end",
  watch: ((text: string) => void) | undefined,
): { text(): string; truncated(): boolean } {
  const decoder = new StringDecoder("utf8");
  let kept = "";
  let truncated = false;
  const take = (text: string): void => {
    if (text === "") return;
    watch?.(text);
    const all = kept + text;
    truncated ||= all.length > limit;
    kept = keep === "start" ? all.slice(0, limit) : all.slice(-limit);
  };
  stream?.on("data", (chunk: Buffer) => {
    if (keep === "start" && kept.length >= limit) {
      truncated = true;
      watch?.(decoder.write(chunk));
    } else take(decoder.write(chunk));
  });
  stream?.on("end", () => take(decoder.end()));
  return { text: () => kept, truncated: () => truncated };
}
