import type { Clock } from "../../kernel/clock.ts";
import type { StepEvent } from "../../ports/engine.ts";
import type { ToolHost } from "../../ports/tools.ts";
import { exitFailure, failureOf, silenceFailure } from "./engine-failure.ts";
import { createMessageQueue } from "../shared/message-queue.ts";
import type { FromWorker, ModelTarget, ToWorker } from "./protocol.ts";
import { createWatchdog, type PhaseTimeouts } from "./watchdog.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** What a session knows about every request it makes of a worker. */
export interface WorkerRequestContext {
  readonly clock: Clock;
  readonly timeouts: PhaseTimeouts;
  readonly target: ModelTarget;
  readonly tools: ToolHost;
  readonly redact: (text: string) => string;
  readonly warn: (message: string) => void;
}

/** How the worker is left: good for the next request, or to be thrown away. */
export interface WorkerState {
  isReusable: boolean;
}

const HIGH_WATER = 512;
const FINAL_MESSAGES: ReadonlySet<FromWorker["type"]> = new Set(["opened", "end", "failed"] as const);

/**
 * One request to a worker and all that it answers. It ends with the worker's last word, with the failure it reported,
 * with its death or silence, or with the abort of the signal; `state.isReusable` tells whether the worker is still at rest
 * after that. Tools are called as they are asked for, whether or not somebody pulls the events. Disposed of when
 * nothing more is wanted of it.
 */
export interface WorkerRequest extends Disposable {
  /** The next event of a step, at last its end; null says that the session is open. Rejects with what ended it early. */
  next(): Promise<StepEvent | null>;
}

export function sendRequest(
  worker: WorkerProcess,
  request: ToWorker,
  signal: AbortSignal,
  state: WorkerState,
  context: WorkerRequestContext,
): WorkerRequest {
  signal.throwIfAborted();
  state.isReusable = false;
  let answered = false;
  const over = new AbortController();
  const toolSignal = AbortSignal.any([signal, over.signal]);
  const watchdog = createWatchdog(context.clock, context.timeouts, (phase) =>
    queue.fail(silenceFailure(phase, context.timeouts[phase] ?? 0, context.target)),
  );
  const queue = createMessageQueue<FromWorker>({
    highWater: HIGH_WATER,
    onFull: () => {
      worker.pause();
      watchdog.suspend();
    },
    onDrained: () => {
      worker.resume();
      if (!answered) watchdog.resume();
    },
  });

  const answerTool = async ({ request: number, call }: FromWorker & { readonly type: "tool" }): Promise<void> => {
    const outcome = await context.tools.call(call, toolSignal);
    if (!over.signal.aborted) worker.send({ type: "tool-outcome", request: number, outcome });
  };
  const receive = (message: FromWorker): void => {
    watchdog.alive();
    if (message.type === "alive") return;
    if (message.type === "phase") watchdog.enter(message.phase);
    else if (message.type === "tool") answerTool(message).catch((error: unknown) => queue.fail(error));
    else {
      answered = FINAL_MESSAGES.has(message.type);
      if (answered) watchdog.suspend();
      queue.push(message);
    }
  };
  const abort = (): void => queue.fail(signal.reason);

  signal.addEventListener("abort", abort, { once: true });
  worker.listen({ message: receive, exited: (cause) => queue.fail(exitFailure(cause)) });
  watchdog.enter("worker");
  worker.send(request);
  return {
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
      over.abort();
      worker.listen(null);
      worker.resume();
      signal.removeEventListener("abort", abort);
    },
  };
}
