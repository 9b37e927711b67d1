import { joinTranscript } from "../../domain/agent/transcript.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { StepEvent } from "../../ports/engine.ts";
import type { ToolHost } from "../../ports/tools.ts";
import { createMessageQueue } from "../shared/message-queue.ts";
import { exitFailure, failureOf, lateFailure } from "./engine-failure.ts";
import type { CallsOfAnswer, EmbeddedTexts, ModelTarget, SessionMessage, SessionRequest } from "./protocol.ts";
import { resultsMessage, type CallResult } from "./tool-results.ts";
import { createWatchdog, type PhaseTimeouts } from "./watchdog.ts";
import type { WorkerChannel } from "./worker-process.ts";

/** What a session gives every request to a worker. */
export interface WorkerRequestContext {
  readonly clock: Clock;
  readonly timeouts: PhaseTimeouts;
  readonly target: ModelTarget;
  readonly tools: ToolHost;
  readonly redact: (text: string) => string;
  readonly warn: (message: string) => void;
}

/** False while a request runs and after one that was interrupted: the session must then be ended in the worker. */
export interface WorkerState {
  isReusable: boolean;
}

const HIGH_WATER = 512;
/** An abort without a reason makes an error with a stack. */
const OVER = new Error("The request is over.");
const FINAL_MESSAGES: ReadonlySet<SessionMessage["type"]> = new Set(["opened", "end", "embedded", "failed"] as const);

/**
 * One request to a worker and its messages. It ends with the worker's final message, the failure it reported, its exit
 * or silence, or the abort of the signal. Tools are called as the worker requests them, even if no event is read.
 * Dispose it when no more messages are needed.
 */
export interface WorkerRequest extends Disposable {
  /**
   * Returns the next event of a step, finally its end; null when the session is open; the vectors of texts. Rejects when
   * it ended early.
   */
  next(): Promise<StepEvent | EmbeddedTexts | null>;
  /** Results of the calls with which the step ended, which the worker does not know yet. */
  readonly results: readonly CallResult[];
}

export function sendRequest(
  channel: WorkerChannel,
  request: SessionRequest,
  signal: AbortSignal,
  state: WorkerState,
  context: WorkerRequestContext,
): WorkerRequest {
  signal.throwIfAborted();
  state.isReusable = false;
  let answered = false;
  const disposed = new AbortController();
  const toolSignal = AbortSignal.any([signal, disposed.signal]);
  const watchdog = createWatchdog(context.clock, context.timeouts, (limit) =>
    queue.fail(lateFailure(limit, context.timeouts[limit] ?? 0, context.target, channel.isShared())),
  );
  const queue = createMessageQueue<SessionMessage>({
    highWater: HIGH_WATER,
    onFull: () => {
      channel.send({ type: "flow", paused: true });
      watchdog.suspend();
    },
    onDrained: () => {
      channel.send({ type: "flow", paused: false });
      if (!answered) watchdog.resume();
    },
  });

  const answerTool = async ({ request: number, call }: SessionMessage & { readonly type: "tool" }): Promise<void> => {
    const outcome = await context.tools.call(call, toolSignal);
    if (!disposed.signal.aborted) channel.send({ type: "tool-outcome", request: number, outcome });
  };
  const results: CallResult[] = [];
  const makeCalls = async ({ calls, end }: CallsOfAnswer): Promise<void> => {
    let waitsFor: string | null = null;
    for (const { id, providerId, tool, args } of calls) {
      toolSignal.throwIfAborted();
      const outcome = await context.tools.call({ id, tool, args }, toolSignal);
      if (outcome.kind === "approval") {
        waitsFor = outcome.approval;
        break;
      }
      const { content, isError } = outcome;
      results.push({ providerId, tool, content, isError });
      receive({ type: "event", event: { type: "tool-result", id, tool, content, isError } });
    }
    const added = results.length === 0 ? [] : [JSON.stringify([resultsMessage(results)])];
    receive({ type: "end", end: { ...end, waitsFor, transcript: joinTranscript([end.transcript, ...added]) } });
  };
  const receive = (message: SessionMessage): void => {
    watchdog.alive();
    if (message.type === "alive") return;
    if (message.type === "phase") watchdog.enter(message.phase);
    else if (message.type === "tool") answerTool(message).catch((error: unknown) => queue.fail(error));
    else if (message.type === "calls") {
      watchdog.enter("tools");
      makeCalls(message).catch((error: unknown) => queue.fail(error));
    } else {
      answered = FINAL_MESSAGES.has(message.type);
      if (answered) watchdog.suspend();
      queue.push(message);
    }
  };
  const abort = (): void => queue.fail(signal.reason);

  signal.addEventListener("abort", abort, { once: true });
  channel.listen({ message: receive, exited: (cause, shared) => queue.fail(exitFailure(cause, shared)) });
  watchdog.enter("worker");
  channel.send(request);
  return {
    results,
    async next() {
      for (;;) {
        const message = await queue.next();
        switch (message.type) {
          case "event":
            return message.event;
          case "warning":
            context.warn(context.redact(message.message));
            break;
          case "opened":
            state.isReusable = true;
            return null;
          case "end":
            state.isReusable = true;
            return message.end;
          case "embedded":
            state.isReusable = true;
            return message;
          case "failed":
            state.isReusable = true;
            throw failureOf(message.report, context.target, { nowMs: context.clock.now(), redact: context.redact });
          default:
            break;
        }
      }
    },
    [Symbol.dispose]() {
      watchdog[Symbol.dispose]();
      disposed.abort(OVER);
      channel.listen(null);
      signal.removeEventListener("abort", abort);
    },
  };
}
