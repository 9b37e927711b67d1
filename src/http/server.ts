import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import { createAnswerRequest, type AnswerRequest } from "./answer-request.ts";
import type { McpFace } from "./mcp-adapter.ts";
import type { PageFiles } from "./page/page-file.ts";
import { createResponder } from "./respond.ts";
import { createRouteTable } from "./route-table.ts";
import { createAddressCheck, type BoundAddress } from "./trusted-address.ts";

/** Importing it would also load Node's HTTP client, WebSockets and HTTP/2, which takes longer than all the daemon does. */
const { createServer } = process.getBuiltinModule("node:http");

/**
 * The daemon's one credential to the outside, straight on `node:http`: a request costs little more than Node itself takes for
 * it. Node's own limits are set here, because a client that is slow on purpose must not hold a connection for ever.
 */
export interface HttpServer {
  /** Port 0 is any free one. Rejects with what the system says, such as a port that is taken. */
  listen(address: BoundAddress): Promise<BoundAddress>;
  /** Ends the streams, as the daemon is about to stop; everything else is answered until it closes. */
  endStreams(): void;
  /** Takes nothing new, ends the streams, lets answers that are under way be given, and cuts what is left. */
  close(): Promise<void>;
}

export interface HttpServerParts {
  readonly hosting: DaemonContext;
  readonly mcp: McpFace;
  readonly log: Log;
  readonly clock: Clock;
  /** Without them, `/` only says that something is here. */
  readonly pageFiles?: PageFiles;
  /** Names beside the usual ones by which this machine may be addressed. */
  readonly allowedHosts?: readonly string[];
  readonly patience?: Partial<Patience>;
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For the head of a request. */
  readonly head: number;
  /** For the whole of it. */
  readonly request: number;
  /** Until the next request on the same connection. */
  readonly idle: number;
  /** How often the first two are looked at. */
  readonly look: number;
  /** For answers under way when the server closes. */
  readonly closing: number;
}

const PATIENCE: Patience = { head: 10_000, request: 60_000, idle: 60_000, look: 2_000, closing: 3_000 };
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 4_096;

export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { hosting, log, clock, pageFiles = () => undefined } = parts;
  const patience = { ...PATIENCE, ...parts.patience };
  const closing = new AbortController();
  const responder = createResponder(hosting.version);
  let streams = 0;
  let underWay = 0;
  let onQuiet: (() => void) | undefined;
  const settle = (): void => {
    underWay -= 1;
    if (underWay === 0) onQuiet?.();
  };
  const answerParts = {
    ...parts,
    routes: createRouteTable({ clock, version: hosting.version, streams: () => streams, pageFiles }),
    responder,
    headers: responder.headers,
    closing: closing.signal,
    onStream: (change: 1 | -1) => void (streams += change),
  };
  const server = createServer({
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: patience.head,
    requestTimeout: patience.request,
    keepAliveTimeout: patience.idle,
    connectionsCheckingInterval: patience.look,
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on("drop", () => log.warn("too many connections: one was turned away", { limit: MAX_CONNECTIONS }));

  return {
    async listen({ port, host }) {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host }, () => {
          server.off("error", reject);
          resolve();
        });
      });
      server.on("error", (error) => log.error("the server failed", { error }));
      const address = server.address();
      const bound = { host, port: typeof address === "object" && address !== null ? address.port : port };
      const checkAddress = createAddressCheck(bound, parts.allowedHosts);
      const answer = createAnswerRequest({ ...answerParts, checkAddress });
      const take: AnswerRequest = (request, response) => {
        underWay += 1;
        response.on("close", settle);
        answer(request, response);
      };
      server.on("request", take).on("checkContinue", take);
      return bound;
    },

    endStreams: () => closing.abort(),

    async close() {
      closing.abort();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const answered = underWay === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onQuiet = resolve));
      const late = new AbortController();
      await Promise.race([answered, clock.sleep(patience.closing, late.signal).catch(() => {})]);
      late.abort();
      server.closeAllConnections();
      await closed;
    },
  };
}
