import type { Server as HttpsServer } from "node:https";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext } from "../runtime/daemon-context.ts";
import { createRequestHandler, type McpHandler, type RequestHandler } from "./handle-request.ts";
import type { PageFiles } from "./page/page-file.ts";
import { createResponder } from "./respond.ts";
import { createRouteTable } from "./route-table.ts";
import {
  createAddressCheck,
  createPublicAddressCheck,
  type AddressCheck,
  type BoundAddress,
} from "./trusted-address.ts";
import { createUnauthenticatedConnections } from "./unauthenticated-connections.ts";

// An import would also load Node's HTTP client, WebSockets and HTTP/2, which takes longer than the start of the daemon.
const { createServer } = process.getBuiltinModule("node:http");

/**
 * The daemon's server, on `node:http` without a framework. It sets Node's limits, because a client that is slow on
 * purpose must not hold a connection for ever.
 */
export interface HttpServer {
  /** Port 0 is any free one. Rejects with the error of the system, such as EADDRINUSE. */
  listen(address: BoundAddress): Promise<BoundAddress>;
  /** Listens on a second address, encrypted, for the page on other devices. Rejects as `listen` does. */
  listenEncrypted(address: BoundAddress, certificate: Certificate): Promise<void>;
  /** Ends the streams before the daemon stops; other requests are handled until `close`. */
  endStreams(): void;
  /** Accepts nothing new, ends the streams, lets running requests finish for a while, and cuts the rest. */
  close(): Promise<void>;
}

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The address that other devices open. */
  readonly publicUrl: string;
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
  /** The address of the page behind a tunnel or a reverse proxy, which encrypts. */
  readonly publicUrl?: string;
  readonly timeouts?: Partial<Timeouts>;
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
const MAX_CONNECTIONS = 4_096;

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
  const unauthenticated = createUnauthenticatedConnections(log, clock);
  const handlerParts = {
    ...parts,
    routes: createRouteTable({ clock, version: daemon.version, streams: () => streams, pageFiles }),
    responder,
    headers: responder.headers,
    closing: closing.signal,
    onAuthenticated: unauthenticated.authenticated,
    onStream: (change: 1 | -1) => void (streams += change),
  };
  const limits = {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: timeouts.head,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
    connectionsCheckingInterval: timeouts.check,
  };
  const server = createServer(limits);
  let encrypted: HttpsServer | undefined;
  const receiver = (checkAddress: AddressCheck): RequestHandler => {
    const handle = createRequestHandler({ ...handlerParts, checkAddress });
    return (request, response) => {
      running += 1;
      response.on("close", onClose);
      handle(request, response);
    };
  };
  server.on("connection", unauthenticated.add);
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
      const { allowedHosts: names, publicUrl } = parts;
      const receive = receiver(createAddressCheck(bound, { names, publicUrl }));
      server.on("request", receive).on("checkContinue", receive);
      return bound;
    },

    async listenEncrypted({ port, host }, { cert, key, publicUrl }) {
      const https = process.getBuiltinModule("node:https");
      const created = https.createServer({ ...limits, cert, key, handshakeTimeout: timeouts.head });
      created.on("secureConnection", unauthenticated.add);
      created.maxConnections = MAX_CONNECTIONS;
      const receive = receiver(createPublicAddressCheck(publicUrl));
      created.on("request", receive).on("checkContinue", receive);
      await new Promise<void>((resolve, reject) => {
        created.once("error", reject);
        created.listen({ port, host }, () => {
          created.off("error", reject);
          resolve();
        });
      });
      created.on("error", (error) => log.error("the encrypted server failed", { error }));
      encrypted = created;
    },

    endStreams: () => closing.abort(),

    async close() {
      closing.abort();
      if (!server.listening) return;
      const closed = Promise.all(
        [server, encrypted].map((each) => new Promise<void>((resolve) => each?.close(() => resolve()) ?? resolve())),
      );
      const idle = running === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onIdle = resolve));
      const waiting = new AbortController();
      await Promise.race([idle, clock.sleep(timeouts.closing, waiting.signal).catch(() => {})]);
      waiting.abort();
      server.closeAllConnections();
      encrypted?.closeAllConnections();
      await closed;
    },
  };
}
