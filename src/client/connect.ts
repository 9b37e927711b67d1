import { systemClock, type Clock } from "../kernel/clock.ts";
import { Fault } from "../kernel/fault.ts";
import type { Client } from "./client.ts";
import { connectTo, type Peer } from "./transport/connection.ts";
import { createDaemonClient } from "./daemon-client.ts";
import { homeFolder } from "./home.ts";
import { reachDaemon } from "./reach.ts";
import { connectionTrouble } from "./unreachable.ts";
import { createConnectionPool, type AuthenticatedConnection } from "./transport/connection-pool.ts";

export interface ConnectOptions {
  /** Absolute; the calls are about this project. Absent: the daemon's first. */
  readonly projectDir?: string;
  /** Where the daemon is registered. By default the environment says which daemon is meant. */
  readonly home?: string;
  /** Starts a daemon when none is there. */
  readonly autoStart?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Told before something that may take a while. */
  readonly onProgress?: (text: string) => void;
}

/**
 * A client of the user's daemon, or of the one that `AGENT_WORKER_URL` and `AGENT_WORKER_TOKEN` name: programs that a run
 * started have those, and speak as the agent of that run, in its project.
 */
export async function connectToDaemon(options: ConnectOptions = {}): Promise<Client> {
  const { env = process.env, clock = systemClock } = options;
  const given = options.home === undefined ? addressIn(env) : undefined;
  if (given !== undefined) return connectToAddress(given, { clock });
  const home = options.home ?? homeFolder(env);
  const wire = createConnectionPool(await firstLink(home, { ...options, env, clock }), () => linkTo(home), clock);
  const isRunning = async (): Promise<boolean> => {
    const reached = await reachDaemon(home);
    if (reached.state === "there") reached.link.connection[Symbol.dispose]();
    return reached.state !== "gone";
  };
  return createDaemonClient({ wire, clock, isRunning, projectDir: options.projectDir });
}

/** Opens connections to the same daemon, one for each call: for those who speak to it in another way than by operations. */
export function linkOpener(
  options: ConnectOptions = {},
): (more?: { readonly autoStart?: boolean }) => Promise<AuthenticatedConnection> {
  const { env = process.env, clock = systemClock } = options;
  const given = options.home === undefined ? addressIn(env) : undefined;
  if (given !== undefined) return () => openAddress(given);
  const home = options.home ?? homeFolder(env);
  return (more) => firstLink(home, { ...options, ...more, env, clock });
}

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** Whoever gives an address with its token vouches for it. */
export async function connectToAddress(
  address: Address,
  { clock, projectDir }: { readonly clock: Clock; readonly projectDir?: string },
): Promise<Client> {
  const open = (): Promise<AuthenticatedConnection> => openAddress(address);
  const wire = createConnectionPool(await open(), open, clock);
  const isRunning = async (): Promise<boolean> => {
    try {
      (await open()).connection[Symbol.dispose]();
      return true;
    } catch {
      return false;
    }
  };
  return createDaemonClient({ wire, clock, isRunning, projectDir });
}

const PATIENCE_MS = 5_000;

async function openAddress({ url, token }: Address): Promise<AuthenticatedConnection> {
  const peer = peerOf(url);
  try {
    const connection = await connectTo(peer, PATIENCE_MS);
    return { connection, token, greeting: { version: "", status: "" } };
  } catch (error) {
    const trouble = connectionTrouble(error);
    if (trouble === undefined) throw error;
    throw new Fault("daemon_unreachable", `There is no daemon at ${url}: ${trouble}.`, { cause: error });
  }
}

async function firstLink(
  home: string,
  options: ConnectOptions & { readonly env: NonNullable<ConnectOptions["env"]>; readonly clock: Clock },
): Promise<AuthenticatedConnection> {
  const reached = await reachDaemon(home);
  if (reached.state === "there") return reached.link;
  if (options.autoStart !== true) throw unreached(reached);
  const { startDaemon } = await import("./start-daemon.ts");
  return startDaemon({ ...options, home });
}

async function linkTo(home: string): Promise<AuthenticatedConnection> {
  const reached = await reachDaemon(home);
  if (reached.state === "there") return reached.link;
  throw unreached(reached);
}

function unreached(
  reached: { readonly state: "leaving" } | { readonly state: "gone"; readonly reason: string },
): Fault {
  const message =
    reached.state === "leaving" ? "The daemon is stopping." : `There is no daemon running: ${reached.reason}.`;
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
