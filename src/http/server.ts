import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import { createConnectionLimits } from "./connection-limits.ts";
import { createRequestHandler, type McpHandler, type RequestHandler } from "./handle-request.ts";
import type { PageFiles } from "./page/page-file.ts";
import { createResponder } from "./respond.ts";
import { createRouteTable } from "./route-table.ts";
import type { ServerOptions } from "node:https";
import { createTlsFront, type TlsKeyPair } from "./tls-front.ts";
import { createAddressCheck, type BoundAddress } from "./trusted-address.ts";

// An import would also load Node's HTTP client, WebSockets and HTTP/2, which takes longer than the start of the daemon.
const { createServer } = process.getBuiltinModule("node:http");

function createSecureServer(options: ServerOptions) {
  return process.getBuiltinModule("node:https").createServer(options);
}

/**
 * The daemon's server, on `node:http` without a framework. It sets Node's limits, because a client that is slow on
 * purpose must not hold a connection for ever.
 */
export interface HttpServer {
  /** Port 0 is any free one. Rejects with the error of the system, such as EADDRINUSE. */
  listen(address: BoundAddress): Promise<BoundAddress>;
  /** How many connections it has accepted so far. */
  accepted(): number;
  /** Ends the streams before the daemon stops; other requests are handled until `close`. */
  endStreams(): void;
  /** Accepts nothing new, ends the streams, lets running requests finish for a while, and cuts the rest. */
  close(): Promise<void>;
}

export interface HttpServerParts {
  readonly daemon: DaemonContext;
  readonly mcp: McpHandler;
  readonly log: Log;
  readonly clock: Clock;
  /** Without them, `/` says that the page was not built. */
  readonly pageFiles?: PageFiles;
  /** Further host names of this machine. */
  readonly allowedHosts?: readonly string[];
  readonly timeouts?: Partial<Timeouts>;
  /** Other machines connect with TLS, and only so. */
  readonly tls?: TlsKeyPair;
  /** The host name of a reverse proxy with TLS in front of it. */
  readonly publicName?: string;
}

/** In milliseconds. */
export interface Timeouts {
  /** For the head of a request. */
  readonly head: number;
  /** For the whole request. */
  readonly request: number;
  /** Until the next request on the same connection. */
  readonly idle: number;
  /** How often the first two are checked. */
  readonly check: number;
  /** For running requests when the server closes. */
  readonly closing: number;
}

const TIMEOUTS: Timeouts = { head: 10_000, request: 60_000, idle: 60_000, check: 2_000, closing: 3_000 };
const MAX_HEAD_BYTES = 16 * 1024;
/** Connections that came while the daemon was busy wait here; the system may allow fewer. */
const BACKLOG = 4_096;
/** Connections that have not said yet whether they want TLS. */
const MAX_SILENT = 4_096;

export function createHttpServer(parts: HttpServerParts): HttpServer {
  const { daemon, log, clock, pageFiles = () => undefined } = parts;
  const timeouts = { ...TIMEOUTS, ...parts.timeouts };
  const closing = new AbortController();
  const responder = createResponder(daemon.version);
  let streams = 0;
  let running = 0;
  let onIdle: (() => void) | undefined;
  const onClose = (): void => {
    running -= 1;
    if (running === 0) onIdle?.();
  };
  const connections = createConnectionLimits(log, clock);
  const handlerParts = {
    ...parts,
    routes: createRouteTable({ clock, version: daemon.version, streams: () => streams, pageFiles }),
    responder,
    headers: responder.headers,
    closing: closing.signal,
    onAuthenticated: connections.authenticated,
    onStream: (change: 1 | -1) => void (streams += change),
  };
  const limits = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: timeouts.head,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    connectionsCheckingInterval: timeouts.check,
  };
  const plain = createServer(limits);
  plain.on("connection", connections.add);
  const secure = parts.tls === undefined ? undefined : createSecureServer({ ...limits, ...parts.tls });
  secure?.on("secureConnection", connections.add);
  const onPlainStranger = (): void => log.warn("a connection without TLS was closed: it came from another machine");
  /** What listens. */
  const server =
    secure === undefined ? plain : createTlsFront(plain, secure, { silenceMs: timeouts.head, onPlainStranger });
  if (secure !== undefined) server.maxConnections = MAX_SILENT;

  return {
    async listen({ port, host }) {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ port, host, backlog: BACKLOG }, () => {
          server.off("error", reject);
          resolve();
        });
      });
      server.on("error", (error) => log.error("the server failed", { error }));
      const address = server.address();
      const bound = { host, port: typeof address === "object" && address !== null ? address.port : port };
      const checkAddress = createAddressCheck(bound, parts.allowedHosts, parts.publicName);
      const handle = createRequestHandler({ ...handlerParts, checkAddress });
      const receive: RequestHandler = (request, response) => {
        if (connections.isTurnedAway(request.socket)) return void request.socket.destroy();
        running += 1;
        response.on("close", onClose);
        handle(request, response);
      };
      for (const each of [plain, secure]) each?.on("request", receive).on("checkContinue", receive);
      return bound;
    },

    accepted: connections.accepted,

    endStreams: () => closing.abort(),

    async close() {
      closing.abort();
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = running === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onIdle = resolve));
      const waiting = new AbortController();
      await Promise.race([idle, clock.sleep(timeouts.closing, waiting.signal).catch(() => {})]);
      waiting.abort();
      for (const each of [plain, secure]) each?.closeAllConnections();
      await closed;
    },
  };
}
