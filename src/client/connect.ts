import { systemClock, type Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Client } from "./client.ts";
import { createDaemonClient } from "./daemon-client.ts";
import { homeFolder } from "./home.ts";
import { reachDaemon, type Reached } from "./reach.ts";
import { createConnectionPool } from "./transport/connection-pool.ts";
import { connectTo, type Peer } from "./transport/connection.ts";
import { withToken, type AuthenticatedConnection } from "./transport/handshake.ts";
import { connectionProblem } from "./unreachable.ts";

export interface ConnectOptions {
  /** Absolute path of the project of all calls. Absent: the daemon's first. */
  readonly projectDir?: string;
  /** Folder of the daemon's registration. Absent: the environment determines the daemon. */
  readonly home?: string;
  /** Starts a daemon when none is running. */
  readonly autoStart?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Called before something that may take a while. */
  readonly onProgress?: (text: string) => void;
}

/**
 * Returns a client of the user's daemon, or of the daemon that `AGENT_WORKER_URL` and `AGENT_WORKER_TOKEN` name. Programs
 * that a run started have these variables: they act as the agent of that run, in its project.
 */
export async function connectToDaemon(options: ConnectOptions = {}): Promise<Client> {
  const { env = process.env, clock = systemClock } = options;
  const address = options.home === undefined ? addressIn(env) : undefined;
  if (address !== undefined) return connectToAddress(address, { clock });
  const home = options.home ?? homeFolder(env);
  const first = await reachOrStart(home, { ...options, env, clock });
  const pool = createConnectionPool(first, () => reachOrThrow(home), clock);
  const isRunning = async (): Promise<boolean> => {
    const reached = await reachDaemon(home);
    if (reached.state === "ready") reached.connection[Symbol.dispose]();
    return reached.state !== "unreachable";
  };
  return createDaemonClient({ pool, clock, isRunning, projectDir: options.projectDir });
}

/** Returns a function that opens one connection to the same daemon per call: for other protocols than operations. */
export function connectionOpener(
  options: ConnectOptions = {},
): (more?: { readonly autoStart?: boolean }) => Promise<AuthenticatedConnection> {
  const { env = process.env, clock = systemClock } = options;
  const address = options.home === undefined ? addressIn(env) : undefined;
  if (address !== undefined) return () => openAddress(address);
  const home = options.home ?? homeFolder(env);
  return (more) => reachOrStart(home, { ...options, ...more, env, clock });
}

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** The caller vouches for the address: the token is sent there without a handshake. */
export async function connectToAddress(
  address: Address,
  { clock, projectDir }: { readonly clock: Clock; readonly projectDir?: string },
): Promise<Client> {
  const open = (): Promise<AuthenticatedConnection> => openAddress(address);
  const pool = createConnectionPool(await open(), open, clock);
  const isRunning = async (): Promise<boolean> => {
    try {
      (await open())[Symbol.dispose]();
      return true;
    } catch {
      return false;
    }
  };
  return createDaemonClient({ pool, clock, isRunning, projectDir });
}

const TIMEOUT_MS = 5_000;

async function openAddress({ url, token }: Address): Promise<AuthenticatedConnection> {
  const peer = peerOf(url);
  try {
    return withToken(await connectTo(peer, TIMEOUT_MS), token);
  } catch (error) {
    const problem = connectionProblem(error);
    if (problem === undefined) throw error;
    throw new Fault("daemon_unreachable", `There is no daemon at ${url}: ${problem}.`, { cause: error });
  }
}

async function reachOrStart(
  home: string,
  options: ConnectOptions & { readonly env: NonNullable<ConnectOptions["env"]>; readonly clock: Clock },
): Promise<AuthenticatedConnection> {
  const reached = await reachDaemon(home);
  if (reached.state === "ready") return reached.connection;
  if (options.autoStart !== true) throw notReady(reached);
  const { startDaemon } = await import("./start-daemon.ts");
  return startDaemon({ ...options, home });
}

async function reachOrThrow(home: string): Promise<AuthenticatedConnection> {
  const reached = await reachDaemon(home);
  if (reached.state === "ready") return reached.connection;
  throw notReady(reached);
}

function notReady(reached: Exclude<Reached, { readonly state: "ready" }>): Fault {
  const message =
    reached.state === "draining" ? "The daemon is stopping." : `There is no daemon running: ${reached.reason}.`;
  return new Fault("daemon_unreachable", message, { hint: "Start it with: agent-worker daemon start" });
}

function addressIn(env: Readonly<Record<string, string | undefined>>): Address | undefined {
  const url = env["AGENT_WORKER_URL"] ?? "";
  const token = env["AGENT_WORKER_TOKEN"] ?? "";
  if (url === "" && token === "") return undefined;
  if (url !== "" && token !== "") return { url, token };
  throw new Fault("daemon_unreachable", "AGENT_WORKER_URL and AGENT_WORKER_TOKEN belong together; one is missing.", {
    hint: "Set both, or none to use your own daemon.",
  });
}

function peerOf(url: string): Peer {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.protocol !== "http:" || parsed.username !== "") {
    throw new Fault("daemon_unreachable", "The daemon's address must look like http://127.0.0.1:5099.");
  }
  return { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: Number(parsed.port || "80") };
}
