import { posix } from "node:path";
import type { CommandName } from "just-bash";
import type { PathPrivacy } from "../../domain/agent/private-paths.ts";
import type { Clock } from "../../kernel/clock.ts";
import { loadOnce } from "../../kernel/load-once.ts";
import type { AgentShell } from "./agent-shell.ts";
import { hideFiles } from "./hidden-files.ts";

/**
 * A virtual shell: commands are interpreted in this process on a separate file system. The project is under `/project`,
 * read-only; writes go to an overlay in memory that exists as long as the run. There is no network, no program of the
 * machine and no environment. What is private does not exist in it.
 *
 * The interpreter blocks this process while it computes; its limits allow about a tenth of a second.
 */
const ROOT = "/project";
const MEMORY_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 8 * 1024 * 1024;
/** They need dependencies of 40 MB, which the package does not contain: see `scripts/bundle-packages.ts`. */
const NOT_OFFERED: ReadonlySet<string> = new Set(["sqlite3", "html-to-markdown"]);

export function createVirtualShell({
  clock,
  projectDir,
  cwd,
  privacy,
}: {
  readonly clock: Clock;
  readonly projectDir: string;
  /** Relative to the project. */
  readonly cwd: string;
  readonly privacy: PathPrivacy;
}): AgentShell {
  const home = posix.join(ROOT, cwd);
  // Loaded on first use: most agents never touch a file, and loading takes a tenth of a second.
  const opened = loadOnce(() => load(projectDir, home, (path) => privacy(inProject(path)) !== null), { clock });
  const open = () => opened.get();

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
      lasting: false,
      fs: async () => (await open()).fs,
      locate: (path) => {
        const full = posix.resolve(home, path);
        return { path: full, project: inProject(full) };
      },
      privacy,
      protects: () => null,
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Relative to the project; absolute outside of it. */
function inProject(path: string): string {
  const relative = posix.relative(ROOT, path);
  return relative === ".." || relative.startsWith("../") ? path : relative || ".";
}

async function load(projectDir: string, cwd: string, isHidden: (path: string) => boolean) {
  const { Bash, getCommandNames, OverlayFs } = await import("just-bash");
  const overlay = new OverlayFs({
    root: projectDir,
    mountPoint: ROOT,
    maxMemoryBytes: MEMORY_BYTES,
    maxFileReadSize: READ_BYTES,
  });
  const fs = hideFiles(overlay, isHidden);
  const commands = getCommandNames().filter((name): name is CommandName => !NOT_OFFERED.has(name));
  const bash = new Bash({ fs, cwd, env: { HOME: ROOT }, commands, executionLimitProfile: "hardened" });
  return { bash, fs };
}
