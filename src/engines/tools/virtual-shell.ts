import { posix } from "node:path";
import type { Bash, IFileSystem } from "just-bash";
import type { Clock } from "../../kernel/clock.ts";
import type { AgentShell } from "./agent-shell.ts";

/**
 * A virtual shell: commands are interpreted in this process on a separate file system. The project is under `/project`,
 * read-only; writes go to an overlay in memory that exists as long as the run. There is no network, no program of the
 * machine and no environment. The daemon's files in `.workspace` are hidden.
 *
 * The interpreter blocks this process while it computes; its limits allow about a tenth of a second.
 */
const ROOT = "/project";
const HIDDEN = `${ROOT}/.workspace`;
const MEMORY_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 8 * 1024 * 1024;

export function createVirtualShell({
  clock,
  projectDir,
  cwd,
}: {
  readonly clock: Clock;
  readonly projectDir: string;
  /** Relative to the project. */
  readonly cwd: string;
}): AgentShell {
  const home = posix.join(ROOT, cwd);
  let opened: Promise<{ readonly bash: Bash; readonly fs: IFileSystem }> | undefined;
  // Loaded on first use: most agents never touch a file, and loading takes a tenth of a second.
  const open = () => (opened ??= load(projectDir, home));

  return {
    run: async (command, timeoutMs, signal) => {
      const { bash } = await open();
      const stop = new AbortController();
      const settled = new AbortController();
      clock.sleep(timeoutMs, settled.signal).then(
        () => stop.abort(),
        () => {},
      );
      try {
        const result = await bash.exec(command, { signal: AbortSignal.any([signal, stop.signal]), rawScript: true });
        signal.throwIfAborted();
        return { output: result.stdout + result.stderr, code: result.exitCode, timedOut: stop.signal.aborted };
      } finally {
        settled.abort();
      }
    },
    files: {
      fs: async () => (await open()).fs,
      locate: (path) => {
        const full = posix.resolve(home, path);
        const relative = posix.relative(ROOT, full);
        const inside = relative !== ".." && !relative.startsWith("../");
        return { path: full, project: inside ? relative || "." : full };
      },
      protects: () => null,
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function load(projectDir: string, cwd: string) {
  const { Bash, InMemoryFs, MountableFs, OverlayFs } = await import("just-bash");
  const base = new OverlayFs({
    root: projectDir,
    mountPoint: ROOT,
    maxMemoryBytes: MEMORY_BYTES,
    maxFileReadSize: READ_BYTES,
  });
  const fs = new MountableFs({ base, mounts: [{ mountPoint: HIDDEN, filesystem: new InMemoryFs() }] });
  const bash = new Bash({ fs, cwd, env: { HOME: ROOT }, executionLimitProfile: "hardened" });
  return { bash, fs };
}
