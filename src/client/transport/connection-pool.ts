import type { Clock } from "../../kernel/clock.ts";
import { BrokenConnection } from "./byte-source.ts";
import type { WireRequest, WireResponse } from "./connection.ts";
import type { AuthenticatedConnection, DaemonGreeting } from "./handshake.ts";

/**
 * Connections to a daemon, for any number of requests at once. `open` finds and authenticates the daemon for every new
 * connection: when another daemon has taken its place, or another program its port, the old token is not sent there.
 */
export interface ConnectionPool extends Disposable {
  request(request: WireRequest): Promise<WireResponse>;
  /** Of the connection that was opened last. */
  readonly daemon: DaemonGreeting;
}

/** Less than the server's own limit for idle connections. */
const MAX_IDLE_MS = 30_000;
const MAX_IDLE = 4;
/** A thousand requests at once need no thousand connections: most of them get one that another request used. */
const MAX_OPENING = 8;

export function createConnectionPool(
  first: AuthenticatedConnection,
  open: () => Promise<AuthenticatedConnection>,
  clock: Pick<Clock, "monotonic">,
): ConnectionPool {
  const idle: { readonly connection: AuthenticatedConnection; readonly since: number }[] = [];
  /** Requests that wait: for a connection, or for undefined, which lets them open one. */
  const waiting: ((connection: AuthenticatedConnection | undefined) => void)[] = [];
  let opening = 0;
  let { daemon } = first;

  const release = (connection: AuthenticatedConnection): void => {
    connection.release();
    const next = waiting.shift();
    if (next !== undefined) next(connection);
    else if (idle.length >= MAX_IDLE) connection[Symbol.dispose]();
    else idle.push({ connection, since: clock.monotonic() });
  };
  release(first);

  const takeIdle = (): AuthenticatedConnection | undefined => {
    for (let entry = idle.pop(); entry !== undefined; entry = idle.pop()) {
      const { connection, since } = entry;
      if (connection.usable && clock.monotonic() - since < MAX_IDLE_MS) return connection;
      connection[Symbol.dispose]();
    }
    return undefined;
  };

  const takeNew = async (): Promise<AuthenticatedConnection> => {
    const connection = await open();
    ({ daemon } = connection);
    return connection;
  };

  const take = async (): Promise<{ readonly connection: AuthenticatedConnection; readonly isReused: boolean }> => {
    const reused = takeIdle();
    if (reused !== undefined) return { connection: reused, isReused: true };
    if (opening < MAX_OPENING) opening += 1;
    else {
      const given = await new Promise<AuthenticatedConnection | undefined>((resolve) => waiting.push(resolve));
      if (given !== undefined) return { connection: given, isReused: true };
    }
    try {
      return { connection: await takeNew(), isReused: false };
    } finally {
      const next = waiting.shift();
      if (next === undefined) opening -= 1;
      else next(undefined);
    }
  };

  const requestOn = async (connection: AuthenticatedConnection, request: WireRequest): Promise<WireResponse> => {
    const response = await connection.request(request);
    return { ...response, body: thenRelease(connection, response.body) };
  };

  async function* thenRelease(
    connection: AuthenticatedConnection,
    body: AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer> {
    yield* body;
    if (connection.usable) release(connection);
  }

  return {
    get daemon() {
      return daemon;
    },
    async request(request) {
      const { connection, isReused } = await take();
      try {
        return await requestOn(connection, request);
      } catch (error) {
        // The server may have closed an idle connection. A GET changes nothing and is repeated; the rest is not.
        if (!isReused || request.method !== "GET" || !(error instanceof BrokenConnection)) throw error;
        return requestOn(await takeNew(), request);
      }
    },
    [Symbol.dispose]() {
      for (const { connection } of idle.splice(0)) connection[Symbol.dispose]();
    },
  };
}
