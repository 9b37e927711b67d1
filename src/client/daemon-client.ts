import type { RequestResult } from "../contract/service/work-request.ts";
import type { HealthView } from "../contract/service/health.ts";
import type { PageCodeView } from "../contract/service/page.ts";
import { PROJECT_HEADER } from "../contract/service/headers.ts";
import { holdProcess, type Clock } from "../kernel/clock.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { Result } from "../kernel/result.ts";
import type { Client } from "./client.ts";
import type { WireAnswer, WireRequest } from "./transport/connection.ts";
import { operationRequest } from "../contract/operation-request.ts";
import { readAnswer } from "./read-answer.ts";
import { lostConnection } from "./unreachable.ts";
import type { ConnectionPool } from "./transport/connection-pool.ts";

export interface ClientParts {
  readonly wire: ConnectionPool;
  readonly clock: Clock;
  /** Whether a daemon is still there, leaving or not. */
  readonly isRunning: () => Promise<boolean>;
  readonly projectDir: string | undefined;
}

/** Nothing that is asked takes longer, and a stream that is alive says so more often. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/** A Client over a wire. What only some commands use is loaded when it is used. */
export function createDaemonClient({ wire, clock, isRunning, projectDir }: ClientParts): Client {
  const project = projectDir === undefined ? {} : { [PROJECT_HEADER]: headerText(projectDir) };

  const ask = async (request: WireRequest): Promise<WireAnswer> => {
    try {
      return await wire.ask({ timeoutMs: PATIENCE_MS, ...request, headers: { ...project, ...request.headers } });
    } catch (error) {
      throw lostConnection(error);
    }
  };
  const answerTo = async <T>(request: WireRequest): Promise<Result<T, Refusal>> => {
    const answer = await ask(request);
    try {
      return await readAnswer<T>(answer);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw lostConnection(error);
    }
  };
  /** For what no rule of the product refuses to a person. */
  const requestOrThrow = async <T>(request: WireRequest): Promise<T> => {
    const result = await answerTo<T>(request);
    if (result.ok) return result.value;
    const { refusedFault } = await import("./refused-fault.ts");
    throw refusedFault(result.error);
  };

  return {
    get daemonVersion() {
      return wire.greeting.version;
    },
    async call(operation, input) {
      const request = operationRequest(operation, input);
      return request.ok ? answerTo(request.value) : request;
    },
    async *run(workRequest, signal) {
      const { streamRequest } = await import("./watch-request.ts");
      yield* streamRequest(ask, workRequest, signal);
    },
    serve: (workRequest, signal) =>
      answerTo<RequestResult>({
        method: "POST",
        path: "/serve",
        body: JSON.stringify(workRequest),
        timeoutMs: 0,
        ...(signal === undefined ? {} : { signal }),
      }),
    async *events(options) {
      const { followEvents } = await import("./follow-events.ts");
      yield* followEvents(ask, clock, options);
    },
    stopAgent: (name) => answerTo({ method: "POST", path: `/agents/${encodeURIComponent(name)}/stop`, body: "{}" }),
    health: () => requestOrThrow<HealthView>({ method: "GET", path: "/health" }),
    openPage: () => requestOrThrow<PageCodeView>({ method: "POST", path: "/ui/codes", body: "{}" }),
    async shutdown() {
      using _alive = holdProcess();
      await requestOrThrow({ method: "POST", path: "/shutdown", body: "{}" });
      while (await isRunning()) await clock.sleep(LOOK_AGAIN_MS);
    },
    [Symbol.dispose]: () => wire[Symbol.dispose](),
  };
}

function headerText(path: string): string {
  return encodeURIComponent(path).replaceAll("%2F", "/");
}
