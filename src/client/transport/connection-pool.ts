import type { Clock } from "../../kernel/clock.ts";
import { BrokenConnection } from "./byte-source.ts";
import type { Connection, Greeting, WireAnswer, WireRequest } from "./connection.ts";

/** A connection on which the token may be sent. */
export interface AuthenticatedConnection {
  readonly connection: Connection;
  readonly token: string;
  readonly greeting: Greeting;
}

/**
 * The way to a daemon for any number of requests at once, over any number of its lives. Every connection is opened
 * anew by `open`, which finds the daemon and makes sure of it: a daemon that was replaced since is never taken for the
 * one before, and its token never sent to whoever has the port now.
 */
export interface ConnectionPool extends Disposable {
  ask(request: WireRequest): Promise<WireAnswer>;
  /** Of the connection that was opened last. */
  readonly greeting: Greeting;
}

/** Less than a server waits before it closes a connection that is not used. */
const RESTS_AT_MOST_MS = 30_000;
const MOST_RESTING = 4;

export function createConnectionPool(
  first: AuthenticatedConnection,
  open: () => Promise<AuthenticatedConnection>,
  clock: Pick<Clock, "monotonic">,
): ConnectionPool {
  const resting: { readonly link: AuthenticatedConnection; readonly since: number }[] = [];
  let { greeting } = first;

  const rest = (link: AuthenticatedConnection): void => {
    link.connection.rest();
    if (resting.length >= MOST_RESTING) link.connection[Symbol.dispose]();
    else resting.push({ link, since: clock.monotonic() });
  };
  rest(first);

  const takeRested = (): AuthenticatedConnection | undefined => {
    for (let entry = resting.pop(); entry !== undefined; entry = resting.pop()) {
      const { link, since } = entry;
      if (link.connection.usable && clock.monotonic() - since < RESTS_AT_MOST_MS) return link;
      link.connection[Symbol.dispose]();
    }
    return undefined;
  };

  const takeNew = async (): Promise<AuthenticatedConnection> => {
    const link = await open();
    ({ greeting } = link);
    return link;
  };

  const askOn = async (link: AuthenticatedConnection, request: WireRequest): Promise<WireAnswer> => {
    const headers = { authorization: `Bearer ${link.token}`, ...request.headers };
    const answer = await link.connection.ask({ ...request, headers });
    return { ...answer, body: thenRest(answer.body, link) };
  };

  async function* thenRest(body: AsyncIterable<Buffer>, link: AuthenticatedConnection): AsyncGenerator<Buffer> {
    yield* body;
    if (link.connection.usable) rest(link);
  }

  return {
    get greeting() {
      return greeting;
    },
    async ask(request) {
      const rested = takeRested();
      if (rested === undefined) return askOn(await takeNew(), request);
      try {
        return await askOn(rested, request);
      } catch (error) {
        // It was closed while it rested. What changes nothing can be asked again; the rest is for the caller to judge.
        if (request.method !== "GET" || !(error instanceof BrokenConnection)) throw error;
        return askOn(await takeNew(), request);
      }
    },
    [Symbol.dispose]() {
      for (const { link } of resting.splice(0)) link.connection[Symbol.dispose]();
    },
  };
}
