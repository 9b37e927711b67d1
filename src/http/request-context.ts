import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../kernel/caller.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import type { Credentials, RequestContext } from "../runtime/request-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";

/** What is the same for all requests of a server. */
export interface ServerContext extends Pick<RequestContext, "daemon" | "closing" | "log" | "clock"> {
  /** Headers of every response. A handler that writes its own head includes them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What differs from request to request. */
export interface ReceivedRequest {
  readonly credentials: Credentials;
  readonly project: RunningProject;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Read within the limit of the route, not parsed; empty when there was none. */
  readonly body: Buffer;
  /** Fields of path, query and body in one object, each given once. Without a schema, those of the query are text. */
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * One request as its handler sees it. Few handlers use `signal`, so it is made on first use. This is a class because a
 * getter in an object literal would give every request its own hidden class, and collecting those as garbage would take
 * half of the time of a request.
 */
export class HttpRequestContext implements RequestContext, ServerContext, Omit<ReceivedRequest, "credentials"> {
  readonly daemon: DaemonContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly closing: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
  readonly token: string;
  readonly identity: Identity;
  readonly caller: Caller;
  readonly project: RunningProject;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly input: Readonly<Record<string, unknown>>;
  #signal: AbortSignal | undefined;

  constructor(server: ServerContext, received: ReceivedRequest) {
    this.daemon = server.daemon;
    this.headers = server.headers;
    this.closing = server.closing;
    this.log = server.log;
    this.clock = server.clock;
    this.token = received.credentials.token;
    this.identity = received.credentials.identity;
    this.caller = received.credentials.caller;
    this.project = received.project;
    this.request = received.request;
    this.response = received.response;
    this.body = received.body;
    this.input = received.input;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= disconnectSignal(this.response));
  }
}

function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) onClose();
  else response.once("close", onClose);
  return controller.signal;
}
