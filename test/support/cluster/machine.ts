import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInstalled, type Answer } from "../daemon/installed-command.ts";
import { spawnSupport, type Spawned } from "../process/spawned.ts";

/** A machine of a cluster: a home, a clone of the project, and a daemon that is started, killed and paused. */
export interface Machine extends AsyncDisposable {
  readonly name: string;
  readonly home: string;
  readonly project: string;
  readonly isUp: boolean;
  start(): Promise<void>;
  kill(): Promise<void>;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** The command, as a person types it on this machine. */
  run(args: readonly string[]): Promise<Answer>;
  log(): string;
}

export interface MachineOptions {
  /** A command in front of everything that happens on the machine. */
  readonly on?: readonly string[];
  readonly folder: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** The program of the daemon, of `test/support/process`, and what it gets after the project. */
  readonly program: readonly [string, ...string[]];
}

export function makeMachine({ on = [], folder, name, files, env: more, program }: MachineOptions): Machine {
  const home = join(folder, name, "home");
  const project = join(folder, name, "project");
  mkdirSync(project, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const env = {
    HOME: join(folder, name),
    AGENT_WORKER_HOME: home,
    AGENT_WORKER_PORT: "0",
    AGENT_WORKER_TRUST: "1",
    AGENT_WORKER_NODE: name,
    ...more,
  };
  let daemon: Spawned | undefined;
  const kill = async (): Promise<void> => {
    daemon?.kill();
    await daemon?.ended;
    daemon = undefined;
  };
  return {
    name,
    home,
    project,
    get isUp() {
      return daemon !== undefined;
    },
    async start() {
      const [file, ...args] = program;
      daemon = spawnSupport(file, [project, ...args], { env, on });
      // A line of JSON, or a word.
      await daemon.line("");
    },
    kill,
    signal: (signal) => void process.kill(daemon?.pid ?? 0, signal),
    run: (args) => runInstalled(args, { cwd: project, env, on }),
    log: () => readFileSync(join(home, "logs/daemon.log"), "utf8"),
    [Symbol.asyncDispose]: kill,
  };
}
