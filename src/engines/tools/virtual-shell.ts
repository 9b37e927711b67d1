import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import type * as justBash from "just-bash";
import type { CommandName, IFileSystem } from "just-bash";
import { whyOnlyPeopleWrite } from "../../domain/agent/obeyed-files.ts";
import type { PathPrivacy } from "../../domain/agent/private-paths.ts";
import type { Clock } from "../../kernel/clock.ts";
import { loadOnce } from "../../kernel/load-once.ts";
import type { AgentShell } from "./agent-shell.ts";
import type { ReadOnlyGit } from "../git/read-only-git.ts";
import { hideFiles } from "./hidden-files.ts";

/**
 * A virtual shell: commands are interpreted in this process on a separate file system. The project is under `/project`.
 * Writes go to an overlay in memory that exists as long as the run; with `writes: "project"` they reach the project, except
 * what only people write. There is no network, no environment and no program of the machine, except git, which only reads
 * (`read-only-git.ts`). What is private does not exist in it.
 *
 * The interpreter blocks this process while it computes; its limits allow about a tenth of a second.
 */
const ROOT = "/project";
const MEMORY_BYTES = 64 * 1024 * 1024;
const READ_BYTES = 8 * 1024 * 1024;
/** They need dependencies of 40 MB, which the package does not contain: see `scripts/bundle-packages.ts`. */
const NOT_OFFERED: ReadonlySet<string> = new Set(["sqlite3", "html-to-markdown"]);

export interface VirtualShellOptions {
  readonly clock: Clock;
  readonly projectDir: string;
  /** Relative to the project. */
  readonly cwd: string;
  readonly privacy: PathPrivacy;
  readonly writes: "memory" | "project";
  readonly git: ReadOnlyGit;
}

export function createVirtualShell({ clock, projectDir, cwd, privacy, writes, git }: VirtualShellOptions): AgentShell {
  const home = posix.join(ROOT, cwd);
  // Loaded on first use: most agents never touch a file, and loading takes a tenth of a second.
  const protects = (path: string): string | null =>
    writes === "memory" ? null : whyOnlyPeopleWrite(path, (other) => existsSync(join(projectDir, other)));
  const parts = { projectDir, home, writes, git, privacy, protects };
  const opened = loadOnce(() => load(parts), { clock });
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
      } catch (error) {
        // The shell ends at a redirection that it cannot write.
        if (!(error instanceof Error) || !/^E[A-Z]{2,}\b/.test(error.message)) throw error;
        return { output: `bash: ${error.message}`, code: 1, timedOut: false };
      } finally {
        settled.abort();
      }
    },
    files: {
      lasting: writes === "project",
      fs: async () => (await open()).fs,
      locate: (path) => {
        const full = posix.resolve(home, path);
        const project = inProject(full);
        if (writes === "project" && project.startsWith("/")) {
          return { refused: `${JSON.stringify(path)} is not a path in the project.` };
        }
        return { path: full, project };
      },
      privacy,
      protects,
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Relative to the project; absolute outside of it. */
function inProject(path: string): string {
  const relative = posix.relative(ROOT, path);
  return relative === ".." || relative.startsWith("../") ? path : relative || ".";
}

interface LoadParts extends Pick<VirtualShellOptions, "projectDir" | "writes" | "git" | "privacy"> {
  /** The working directory in the shell. */
  readonly home: string;
  protects(path: string): string | null;
}

async function load({ projectDir, home, writes, git, privacy, protects }: LoadParts) {
  const library = await import("just-bash");
  const { Bash, defineCommand, getCommandNames } = library;
  const isHidden = (path: string): boolean => privacy(inProject(path)) !== null;
  const files = writes === "memory" ? overlayOf(library, projectDir) : diskOf(library, projectDir);
  const fs =
    writes === "memory"
      ? hideFiles(files, isHidden)
      : hideFiles(files, isHidden, (path) => protects(inProject(path)) !== null);
  const commands = getCommandNames().filter((name): name is CommandName => !NOT_OFFERED.has(name));
  const customCommands = [
    defineCommand("git", async (args, { cwd, signal }) =>
      git(args, { folder: inProject(cwd), privacy, ...(signal === undefined ? {} : { signal }) }),
    ),
  ];
  const bash = new Bash({
    fs,
    cwd: home,
    env: { HOME: ROOT },
    commands,
    customCommands,
    executionLimitProfile: "hardened",
  });
  return { bash, fs };
}

type Library = typeof justBash;

function overlayOf({ OverlayFs }: Library, root: string): IFileSystem {
  return new OverlayFs({ root, mountPoint: ROOT, maxMemoryBytes: MEMORY_BYTES, maxFileReadSize: READ_BYTES });
}

/** The project on the disk, and a folder for temporary files in memory. Links are not followed. */
function diskOf({ MountableFs, ReadWriteFs }: Library, root: string): IFileSystem {
  const mounted = new MountableFs();
  mounted.mount(ROOT, new ReadWriteFs({ root, maxFileReadSize: READ_BYTES }));
  return mounted;
}
