import { joinTranscript } from "../../domain/agent/transcript.ts";
import type { EngineSession, StepEvent, StepInput } from "../../ports/engine.ts";
import type { ToolSpec } from "../../ports/tools.ts";
import type { SessionSetup } from "./protocol.ts";
import type { WorkerPool } from "./worker-pool.ts";
import type { WorkerProcess } from "./worker-process.ts";
import { sendRequest, type WorkerRequestContext, type WorkerState } from "./worker-request.ts";

/**
 * A run in a worker process. The worker holds the conversation; the session holds the transcript up to the last finished
 * step, in parts, so that the next step can continue in another worker when this one ends. Anything that interrupts a step (an
 * abort, a timeout, a consumer that stops reading) kills the worker and its group, which always works and is cheap
 * compared with a model call.
 */
export async function openSdkSession(
  setup: SessionSetup,
  pool: WorkerPool,
  context: WorkerRequestContext,
  signal: AbortSignal,
): Promise<EngineSession> {
  let transcript = setup.transcript === null ? [] : [setup.transcript];
  let worker: WorkerProcess | null = null;
  let offered = setup.tools;
  const state: WorkerState = { isReusable: true };
  const closed = new AbortController();
  let closing: Promise<void> | undefined;

  const attach = async (attachSignal: AbortSignal): Promise<WorkerProcess> => {
    const taken = await pool.take(attachSignal);
    worker = taken;
    try {
      offered = context.tools.list();
      const request = {
        type: "open",
        setup: { ...setup, tools: offered, transcript: transcript.length === 0 ? null : joinTranscript(transcript) },
      } as const;
      using opening = sendRequest(taken, request, attachSignal, state, context);
      await opening.next();
    } catch (error) {
      await detach();
      throw error;
    }
    return taken;
  };

  const detach = async (): Promise<void> => {
    const released = worker;
    worker = null;
    if (released === null) return;
    if (!state.isReusable) await pool.discard(released);
    else if (Object.keys(setup.mcpServers).length === 0) await pool.release(released);
    else await closeWorker(released, pool, context);
  };

  const step = async function* (input: StepInput, stepSignal: AbortSignal): AsyncGenerator<StepEvent> {
    const either = AbortSignal.any([stepSignal, closed.signal]);
    either.throwIfAborted();
    const attached = worker ?? (await attach(either));
    try {
      const tools = context.tools.list();
      const changed = hasSameNames(tools, offered) ? {} : { tools };
      offered = tools;
      const request = { type: "step", prompt: input.prompt, ...changed } as const;
      using stepping = sendRequest(attached, request, either, state, context);
      for (;;) {
        const event = await stepping.next();
        if (event === null || event.type === "embedded") throw new Error("a step was answered like another request");
        if (event.type === "end")
          transcript = event.continues === true ? [...transcript, event.transcript] : [event.transcript];
        yield event;
        if (event.type === "end") return;
      }
    } finally {
      if (!state.isReusable) await detach();
    }
  };

  await attach(signal);
  return {
    model: `${setup.model.provider}/${setup.model.model}`,
    step,
    [Symbol.asyncDispose]: () => {
      closed.abort(new Error("The session has been closed."));
      return (closing ??= detach());
    },
  };
}

function hasSameNames(a: readonly ToolSpec[], b: readonly ToolSpec[]): boolean {
  return a.length === b.length && a.every(({ name }, index) => name === b[index]?.name);
}

const CLOSE_MS = 2_000;

/** Gives MCP servers a moment to end by themselves; then the group is killed. */
async function closeWorker(worker: WorkerProcess, pool: WorkerPool, { clock }: WorkerRequestContext): Promise<void> {
  worker.send({ type: "close" });
  const timer = new AbortController();
  await Promise.race([worker.exited, clock.sleep(CLOSE_MS, timer.signal)]);
  timer.abort();
  await pool.discard(worker);
}
