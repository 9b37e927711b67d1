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
 * An agent at the other end of a pipe that has said who it is. Whatever becomes of it while it is asked something (it
 * answers with an error, ends, falls silent, says what is no message) fails what is asked, in a way that says which.
 */
export interface AcpAgent extends AsyncDisposable {
  readonly title: string;
  readonly capabilities: AgentCapabilities;
  /**
   * Throws an EngineFailure, or the signal's reason, at once, without waiting for the answer. An agent at work may be
   * silent for longer than one that is only asked about itself.
   */
  ask<T>(question: (peer: AcpPeer) => Promise<T>, signal: AbortSignal, kind?: "work"): Promise<T>;
  /** Says something that needs no answer; nothing happens when nobody is there any more. */
  tell(message: (peer: AcpPeer) => Promise<void>): Promise<void>;
  /** Takes what it says and asks until it is disposed; otherwise it is passed over, and what it asks for is refused. */
  listen(listener: AcpListener): Disposable;
}

export type AcpPeer = ClientConnection["agent"];

export interface AcpListener {
  /** The parameters of `session/update`. In the order of the pipe, which waits for it; must not throw. */
  update(params: unknown): Promise<void> | void;
  permission(request: RequestPermissionRequest): Promise<RequestPermissionOutcome>;
}

export interface AgentParts {
  readonly clock: Clock;
  readonly timeouts: ProgramTimeouts;
  readonly program: AcpProgram;
  /** What to call it until it has said its name. */
  readonly title: string;
}

const MOMENT_MS = 500;
const DEAF: AcpListener = { update: () => {}, permission: async () => ({ outcome: "cancelled" }) };

/** Starts the program and waits until it has introduced itself. */
export async function startAcpAgent(parts: AgentParts, signal: AbortSignal): Promise<AcpAgent> {
  const { clock, timeouts } = parts;
  await using starting = new AsyncDisposableStack();
  const child = starting.use(await startAcpProcess(clock, parts.program));
  let listener = DEAF;
  let title = parts.title;
  let introduced: InitializeResponse | null = null;

  // The SDK hands notifications on one by one and answers past them, so that the end of a turn may overtake its text.
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

  /** Either the program has ended, which is known in a moment, or it said what is no message. */
  const brokenPipe = async (error: unknown): Promise<EngineFailure> => {
    const enough = new AbortController();
    const how = await Promise.race([child.ended, clock.sleep(MOMENT_MS, enough.signal)]);
    enough.abort();
    if (typeof how === "string") return crash(`${how}, and without an answer`);
    return crash(`cannot be understood: ${error instanceof Error ? error.message : String(error)}`);
  };

  const ask: AcpAgent["ask"] = async (question, askSignal, kind) => {
    askSignal.throwIfAborted();
    const given = Promise.withResolvers<never>();
    const abort = (): void => given.reject(askSignal.reason as Error);
    askSignal.addEventListener("abort", abort, { once: true });
    const limits = kind === "work" ? { ...timeouts, startMs: timeouts.idleMs } : timeouts;
    using silence = watchSilence(clock, limits, { onSilence: (what) => given.reject(crash(what)) });
    const stopListening = child.onOutput(() => silence.heard());
    const answer = question(connection.agent).catch(async (error: unknown) => {
      throw error instanceof RequestError
        ? failureOfAnswer(error, title, introduced?.authMethods ?? [])
        : await brokenPipe(error);
    });
    try {
      return await Promise.race([answer, given.promise]);
    } finally {
      stopListening();
      askSignal.removeEventListener("abort", abort);
      answer.catch(() => {});
    }
  };

  starting.defer(() => connection.close());
  introduced = await ask(
    (peer) =>
      peer.request("initialize", {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: "agent-worker", version: "1" },
      }),
    signal,
  );
  if (introduced.protocolVersion !== PROTOCOL_VERSION) {
    throw new EngineFailure(
      "permanent",
      `${title} speaks version ${introduced.protocolVersion} of ACP, and agent-worker version ${PROTOCOL_VERSION}.`,
    );
  }
  title = introduced.agentInfo?.title ?? introduced.agentInfo?.name ?? title;
  const all = starting.move();
  return {
    title,
    capabilities: introduced.agentCapabilities ?? {},
    ask,
    tell: async (message) => {
      await message(connection.agent).catch(() => {});
    },
    listen: (next) => {
      listener = next;
      return {
        [Symbol.dispose]: () => {
          if (listener === next) listener = DEAF;
        },
      };
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
