import { operationRequest } from "../contract/operation-request.ts";
import { PROJECT_HEADER } from "../contract/service/headers.ts";
import type { HealthView } from "../contract/service/health.ts";
import type { PageCodeView } from "../contract/service/page.ts";
import type { RequestResult } from "../contract/service/work-request.ts";
import { holdProcess, type Clock } from "../kernel/clock.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { Client } from "./client.ts";
import { readResponse, refusalFault } from "./read-response.ts";
import type { ConnectionPool } from "./transport/connection-pool.ts";
import type { WireRequest, WireResponse } from "./transport/connection.ts";
import { toUnreachable } from "./unreachable.ts";

export interface ClientParts {
  readonly pool: ConnectionPool;
  readonly clock: Clock;
  /** True also while the daemon is draining. */
  readonly isRunning: () => Promise<boolean>;
  readonly projectDir: string | undefined;
}

/** Longer than any operation takes, and longer than the time between two heartbeats of a stream. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** Code that only some commands use is loaded on first use. */
export function createDaemonClient({ pool, clock, isRunning, projectDir }: ClientParts): Client {
  const project = projectDir === undefined ? {} : { [PROJECT_HEADER]: headerText(projectDir) };

  const send = async (wireRequest: WireRequest): Promise<WireResponse> => {
    try {
      return await pool.request({
        timeoutMs: TIMEOUT_MS,
        ...wireRequest,
        headers: { ...project, ...wireRequest.headers },
      });
    } catch (error) {
      throw toUnreachable(error);
    }
  };
  const request = async <T>(wireRequest: WireRequest): Promise<Result<T, Refusal>> => {
    const response = await send(wireRequest);
    try {
      return await readResponse<T>(response);
    } catch (error) {
      wireRequest.signal?.throwIfAborted();
      throw toUnreachable(error);
    }
  };
  /** Throws on a refusal; use it where a refusal cannot happen. */
  const requestOrThrow = async <T>(wireRequest: WireRequest): Promise<T> => {
    const result = await request<T>(wireRequest);
    if (result.ok) return result.value;
    throw refusalFault(result.error);
  };

  return {
    get daemonVersion() {
      return pool.daemon.version;
    },
    async call(operation, input) {
      const wireRequest = operationRequest(operation, input);
      return wireRequest.ok ? request(wireRequest.value) : wireRequest;
    },
    propose: (name, input) =>
      request({
        method: "POST",
        path: `/own-proposals/${encodeURIComponent(name)}`,
        body: JSON.stringify(input),
        // What it prepares may take long, and has a limit of its own.
        timeoutMs: 0,
      }),
    async *run(workRequest, signal) {
      const { streamRequest } = await import("./stream-request.ts");
      yield* streamRequest(send, workRequest, signal);
    },
    serve: (workRequest, signal) =>
      request<RequestResult>({
        method: "POST",
        path: "/serve",
        body: JSON.stringify(workRequest),
        timeoutMs: 0,
        ...(signal === undefined ? {} : { signal }),
      }),
    async *events(options) {
      const { followEvents } = await import("./follow-events.ts");
      yield* followEvents(send, clock, options);
    },
    async *watch(options) {
      const { watchEvents } = await import("./follow-events.ts");
      yield* watchEvents(send, clock, { ...options, live: true });
    },
    stopAgent: (name) => request({ method: "POST", path: `/agents/${encodeURIComponent(name)}/stop`, body: "{}" }),
    health: () => requestOrThrow<HealthView>({ method: "GET", path: "/health" }),
    openPage: () => requestOrThrow<PageCodeView>({ method: "POST", path: "/ui/codes", body: "{}" }),
    pairPage: () => requestOrThrow<PageCodeView>({ method: "POST", path: "/ui/pairing-codes", body: "{}" }),
    listPageSessions: () => request({ method: "GET", path: "/ui/sessions" }),
    endPageSession: (id) => request({ method: "DELETE", path: `/ui/sessions/${encodeURIComponent(id)}` }),
    async goOn() {
      await requestOrThrow({ method: "POST", path: "/go-on", body: "{}" });
    },
    async shutdown() {
      using _alive = holdProcess();
      await requestOrThrow({ method: "POST", path: "/shutdown", body: "{}" });
      while (await isRunning()) await clock.sleep(POLL_MS);
    },
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  };
}

function headerText(path: string): string {
  return encodeURIComponent(path).replaceAll("%2F", "/");
}
