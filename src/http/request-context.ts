import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { DaemonContext, Identity } from "../runtime/daemon-context.ts";
import type { RunningProject } from "../runtime/running-project.ts";
import type { McpExchange } from "./mcp-adapter.ts";
import type { RouteContext } from "./route-handler.ts";

/** What is the same for all requests of a server. */
export interface ServerContext {
  readonly hosting: DaemonContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly closing: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * One request, as its handler sees it. A class because of `signal`, which few ask for and which therefore is made when
 * it is asked for: as a getter of an object literal it would give every request a hidden class of its own, and half of
 * the time of a request would go into collecting them.
 */
export class HttpRequestContext implements RouteContext, McpExchange {
  readonly hosting: DaemonContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly closing: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly project: RunningProject;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly input: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  #signal: AbortSignal | undefined;

  constructor(
    surroundings: ServerContext,
    {
      identity,
      project,
      request,
      response,
      input,
      body,
    }: Omit<RouteContext & McpExchange, keyof ServerContext | "signal">,
  ) {
    this.hosting = surroundings.hosting;
    this.headers = surroundings.headers;
    this.closing = surroundings.closing;
    this.log = surroundings.log;
    this.clock = surroundings.clock;
    this.identity = identity;
    this.project = project;
    this.request = request;
    this.response = response;
    this.input = input;
    this.body = body;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= departureOf(this.response));
  }
}

/** Aborted when the connection ends before the answer does. */
function departureOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.closed) onClose();
  else response.once("close", onClose);
  return controller.signal;
}
