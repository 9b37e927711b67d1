import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readEvents, type ServerSentEvent } from "../../../src/client/transport/server-sent-events.ts";
import { createPageSessions } from "../../../src/daemon/page-sessions.ts";
import { HttpRequestContext } from "../../../src/http/request-context.ts";
import { runRequest, serveRequest } from "../../../src/http/requests/request-routes.ts";
import { createResponder, errorResponse } from "../../../src/http/respond.ts";
import type { RouteHandler } from "../../../src/http/served-route.ts";
import { eventStream } from "../../../src/http/streams/event-stream.ts";
import { person } from "../../../src/kernel/caller.ts";
import { systemClock, type Clock } from "../../../src/kernel/clock.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { DaemonContext } from "../../../src/runtime/daemon-context.ts";
import type { RunningProject } from "../../../src/runtime/running-project.ts";
import { NEVER_HELD } from "./never-held.ts";

/** The streams of one project on a real port, with none of the checks that stand before them in the daemon. */
export interface RequestServer extends AsyncDisposable {
  readonly url: string;
  /** How many are open. */
  connections(): Promise<number>;
  /** What a server does that is asked to close. */
  stop(): void;
  post(path: "/run" | "/serve", body: unknown, signal?: AbortSignal): Promise<Response>;
  events(query?: string, options?: { readonly lastEventId?: number; readonly signal?: AbortSignal }): Promise<Response>;
}

const HANDLERS: Readonly<Record<string, RouteHandler>> = {
  "/run": runRequest,
  "/serve": serveRequest,
  "/events": eventStream,
};

export async function startRequestServer(
  project: RunningProject,
  options: { readonly clock?: Clock } = {},
): Promise<RequestServer> {
  const closing = new AbortController();
  const responder = createResponder("0.0.0-test");
  const daemon: DaemonContext = {
    version: "0.0.0-test",
    node: "here",
    instance: "test",
    url: () => "http://127.0.0.1:1",
    phase: () => "ready",
    problems: () => [],
    keys: async () => [],
    hold: NEVER_HELD,
    project: async () => ({ ok: true, value: project }),
    openProjects: () => [project],
    identify: () => ({ kind: "person" }),
    page: createPageSessions(systemClock),
    prove: () => "",
    runCredentials: { size: 0 },
    shutdown: () => {},
  };

  const { headers } = responder;
  const clock = options.clock ?? systemClock;
  const context = { daemon, headers, closing: closing.signal, log: silentLog, clock };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const body = chunks.length === 0 ? {} : (JSON.parse(bytes.toString()) as Record<string, unknown>);
    try {
      const credentials = { token: "", identity: { kind: "person" }, caller: person } as const;
      const input = { ...Object.fromEntries(searchParams), ...body };
      const received = { credentials, project, request, response, body: bytes, input };
      const result = await HANDLERS[pathname]?.(new HttpRequestContext(context, received));
      if (result !== undefined) responder.result(response, result);
    } catch (error) {
      responder.error(response, errorResponse(error, request, silentLog));
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen({ port: 0, host: "127.0.0.1", backlog: 2_048 }, resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    stop: () => closing.abort(),
    post: (path, body, signal) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: signal ?? null,
      }),
    events: (query = "", { lastEventId, signal } = {}) =>
      fetch(`${url}/events${query}`, {
        headers: lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) },
        signal: signal ?? null,
      }),
    async [Symbol.asyncDispose]() {
      closing.abort();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

export interface ReadEvent extends Omit<ServerSentEvent, "data"> {
  readonly data: Record<string, unknown>;
}

/** The events of an answer, as they come. */
async function* eventsOf(response: Response): AsyncGenerator<ReadEvent, void> {
  if (response.body === null) throw new Error("The answer has no body.");
  for await (const { data, ...event } of readEvents(response.body)) {
    yield { ...event, data: JSON.parse(data) as Record<string, unknown> };
  }
}

/** The first so many events, or those up to one that is looked for; the stream is left then. */
export async function readUntil(
  response: Response,
  isLast: (event: ReadEvent, count: number) => boolean,
): Promise<ReadEvent[]> {
  const read: ReadEvent[] = [];
  for await (const event of eventsOf(response)) {
    read.push(event);
    if (isLast(event, read.length)) break;
  }
  return read;
}
