import {
  client,
  PROTOCOL_VERSION,
  RequestError,
  type AgentCapabilities,
  type AnyMessage,
  type ClientConnection,
  type InitializeResponse,
  type RequestPermissionOutcome,
  type RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import type { Clock } from "../../kernel/clock.ts";
import { EngineFailure } from "../../ports/engine.ts";
import { watchSilence, type ProgramTimeouts } from "../shared/silence-watch.ts";
import { failureOfAnswer } from "./acp-failure.ts";
import { startAcpProcess, type AcpProgram } from "./acp-process.ts";

/**
 * A running ACP agent that has answered `initialize`. A request fails with a message that says why: the agent
 * answered with an error, ended, was silent for too long, or wrote something that is not a message.
 */
export interface AcpAgent extends AsyncDisposable {
  readonly title: string;
  readonly capabilities: AgentCapabilities;
  /**
   * Throws an EngineFailure, or the signal's reason without waiting for the answer. With `work` the agent may be silent
   * for longer.
   */
  request<T>(send: (peer: AcpPeer) => Promise<T>, signal: AbortSignal, kind?: "work"): Promise<T>;
  /** Sends a notification; does nothing when the agent has ended. */
  notify(send: (peer: AcpPeer) => Promise<void>): Promise<void>;
  /** Calls the listener until disposed. Without a listener updates are dropped and permissions are refused. */
  listen(listener: AcpListener): Disposable;
}

export type AcpPeer = ClientConnection["agent"];

export interface AcpListener {
  /** Gets the parameters of `session/update`, in order. The pipe waits for it; must not throw. */
  update(params: unknown): Promise<void> | void;
  permission(request: RequestPermissionRequest): Promise<RequestPermissionOutcome>;
}

export interface AgentParts {
  readonly clock: Clock;
  readonly timeouts: ProgramTimeouts;
  readonly program: AcpProgram;
  /** The name in messages until the agent reports its own. */
  readonly title: string;
}

const EXIT_WAIT_MS = 500;
const NO_LISTENER: AcpListener = { update: () => {}, permission: async () => ({ outcome: "cancelled" }) };

/** Starts the program and waits until it has answered `initialize`. */
export async function startAcpAgent(parts: AgentParts, signal: AbortSignal): Promise<AcpAgent> {
  const { clock, timeouts } = parts;
  await using starting = new AsyncDisposableStack();
  const child = starting.use(await startAcpProcess(clock, parts.program));
  let listener = NO_LISTENER;
  let title = parts.title;
  let initialized: InitializeResponse | null = null;

  // Updates are handled here: the SDK queues notifications but not responses, so a turn could end before its text.
  const updates = new TransformStream<AnyMessage, AnyMessage>({
    transform: async (message, controller) => {
      if ("method" in message && message.method === "session/update") await listener.update(message.params);
      else controller.enqueue(message);
    },
  });
  const connection = client({ name: "agent-worker" })
    .onRequest("session/request_permission", async ({ params }) => ({
      outcome: await listener.permission(params),
    }))
    .connect({ writable: child.stream.writable, readable: child.stream.readable.pipeThrough(updates) });

  const crash = (what: string): EngineFailure => new EngineFailure("crash", `${title} ${what}.`);

  /** The program has ended, and its exit is reported in a moment; or it wrote something that is not a message. */
  const brokenPipe = async (error: unknown): Promise<EngineFailure> => {
    const timer = new AbortController();
    const how = await Promise.race([child.ended, clock.sleep(EXIT_WAIT_MS, timer.signal)]);
    timer.abort();
    if (typeof how === "string") return crash(`${how}, and without an answer`);
    return crash(`cannot be understood: ${error instanceof Error ? error.message : String(error)}`);
  };

  const request: AcpAgent["request"] = async (send, requestSignal, kind) => {
    requestSignal.throwIfAborted();
    const interrupted = Promise.withResolvers<never>();
    const abort = (): void => interrupted.reject(requestSignal.reason as Error);
    requestSignal.addEventListener("abort", abort, { once: true });
    const { startMs, idleMs } = timeouts;
    const limits = kind === "work" ? { ...timeouts, startMs: idleMs } : { startMs, idleMs };
    using silence = watchSilence(clock, limits, { onSilence: (what) => interrupted.reject(crash(what)) });
    const stopListening = child.onOutput(() => silence.reset());
    const answer = send(connection.agent).catch(async (error: unknown) => {
      throw error instanceof RequestError
        ? failureOfAnswer(error, title, initialized?.authMethods ?? [])
        : await brokenPipe(error);
    });
    try {
      return await Promise.race([answer, interrupted.promise]);
    } finally {
      stopListening();
      requestSignal.removeEventListener("abort", abort);
      answer.catch(() => {});
    }
  };

  starting.defer(() => connection.close());
  initialized = await request(
    (peer) =>
      peer.request("initialize", {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: "agent-worker", version: "1" },
      }),
    signal,
  );
  if (initialized.protocolVersion !== PROTOCOL_VERSION) {
    throw new EngineFailure(
      "permanent",
      `${title} speaks version ${initialized.protocolVersion} of ACP, and agent-worker version ${PROTOCOL_VERSION}.`,
    );
  }
  title = initialized.agentInfo?.title ?? initialized.agentInfo?.name ?? title;
  const opened = starting.move();
  return {
    title,
    capabilities: initialized.agentCapabilities ?? {},
    request,
    notify: async (send) => {
      await send(connection.agent).catch(() => {});
    },
    listen: (next) => {
      listener = next;
      return {
        [Symbol.dispose]: () => {
          if (listener === next) listener = NO_LISTENER;
        },
      };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
