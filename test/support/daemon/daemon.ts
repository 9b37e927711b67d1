import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Client } from "../../../src/client/client.ts";
import { connectToDaemon } from "../../../src/client/connect.ts";
import { discovery, type Discovery } from "../../../src/contract/service/discovery.ts";
import { exportContext } from "../../../src/daemon/context/export-context.ts";
import { importContext } from "../../../src/daemon/context/import-context.ts";
import { value } from "../result.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { COMPILED } from "../process/compiled-code.ts";
import { NO_LOCAL_MODELS } from "./no-local-models.ts";

/**
 * A real daemon in a process of its own, with a home and a project in temporary folders, on a free port. Stopped and
 * deleted when it leaves scope.
 */
export interface TestDaemon extends AsyncDisposable {
  readonly home: string;
  /** Real path of the project the daemon was started with. */
  readonly project: string;
  readonly pid: number;
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** The person's. */
  readonly token: string;
  readonly client: Client;
  /** A client for another project of the same daemon. */
  clientFor(project: string): Promise<Client>;
  /** What makes a command (or another program) use this daemon: AGENT_WORKER_HOME, HOME, PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the project. */
  write(path: string, text: string): void;
  /** Returns a file of a personal context, wherever the project keeps it: `.agents/alice/soul.yaml`. */
  contextFile(path: string): Promise<string>;
  /** A request with the person's token, as a program without our client would make it. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a signal and waits for the end: the exit code, or the signal that killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** How it ended: the exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** A new daemon on the same home and project; stop this one first. */
  restart(options?: TestDaemonOptions): Promise<TestDaemon>;
  /** What it wrote to standard error so far. */
  readonly errors: () => string;
}

export interface TestDaemonOptions {
  /** Path inside the project to content. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** How many files it may have open. */
  readonly openFiles?: number;
}

export async function startTestDaemon(options: TestDaemonOptions = {}): Promise<TestDaemon> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "daemon-")));
  mkdirSync(join(folder, "project"));
  try {
    return await startIn(folder, options);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

export function readRegistration(home: string): Discovery {
  return discovery.parse(JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")));
}

async function startIn(folder: string, options: TestDaemonOptions): Promise<TestDaemon> {
  const home = join(folder, "home");
  const project = join(folder, "project");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  for (const [path, text] of Object.entries(options.files ?? {})) write(path, text);
  // The campaign `cli-postgres` runs the tests of the command line once more, on a server.
  const server = process.env["AGENT_WORKER_TEST_SERVER"];
  if (server !== undefined) {
    const settings = existsSync(join(project, "moniro.yaml")) ? readFileSync(join(project, "moniro.yaml"), "utf8") : "";
    const schema = `t_${randomBytes(8).toString("hex")}`;
    if (!/^store:/m.test(settings)) {
      write("moniro.yaml", `${settings}\nstore: { url: $DATABASE_URL, schema: ${schema} }\n`);
    }
  }
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    AGENT_WORKER_HOME: home,
    AGENT_WORKER_PORT: "0",
    AGENT_WORKER_TRUST: "1",
    ...NO_LOCAL_MODELS,
    ...(server === undefined ? {} : { DATABASE_URL: server }),
    ...options.env,
  };
  const contexts = { projectDir: project, agents: [], overwrite: false, env, trust: true, onProgress: () => {} };
  if (server !== undefined && options.files !== undefined) {
    await importContext({ ...contexts, folder: project });
  }
  const started = await spawnDaemon([project], env, options);
  const client = await connectToDaemon({ home, projectDir: project, env });
  let handedOver = false;
  return {
    ...started,
    home,
    project,
    env,
    client,
    write,
    async contextFile(path) {
      if (server === undefined) return readFileSync(join(project, path), "utf8");
      using copy = temporaryFolder();
      value(await exportContext({ ...contexts, folder: copy.path }));
      return readFileSync(copy.in(path), "utf8");
    },
    token: readRegistration(home).token,
    clientFor: (other) => connectToDaemon({ home, projectDir: other, env }),
    fetch: (path, init = {}) =>
      fetch(`${started.url}${path}`, {
        ...init,
        headers: [...new Headers(init.headers), ["authorization", `Bearer ${readRegistration(home).token}`]],
      }),
    async restart(more = {}) {
      handedOver = true;
      return startIn(folder, { ...options, files: {}, ...more });
    },
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await started.stop("SIGKILL");
      if (handedOver) return;
      endSuccessor(home, started.pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends a daemon that a command started on this home after the test had stopped its own. */
function endSuccessor(home: string, own: number): void {
  try {
    const { pid } = readRegistration(home);
    if (pid !== own) process.kill(pid, "SIGKILL");
  } catch {
    // There is none, or it has ended.
  }
}

type Started = Pick<TestDaemon, "pid" | "url" | "stop" | "errors" | "ended">;

/** The program of `daemon-process.ts`; rejects with what it said when it ends before it is ready. */
export async function spawnDaemon(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { openFiles }: Pick<TestDaemonOptions, "openFiles"> = {},
): Promise<Started> {
  const program = [process.execPath, join(import.meta.dirname, "../process/daemon-process.ts"), ...args];
  const limited = ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...program];
  const [command = "", ...rest] = openFiles === undefined ? program : limited;
  const child = spawn(command, rest, {
    env: { ...env, NODE_COMPILE_CACHE: COMPILED },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(() => child.signalCode ?? child.exitCode ?? 0);
  const ready = await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    ended.then((code) => {
      throw new Error(`the daemon ended with ${code}: ${errors}`);
    }),
  ]);
  const { url, pid } = JSON.parse(String(ready[0])) as { url: string; pid: number };
  return {
    url,
    pid,
    ended,
    errors: () => errors,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}
