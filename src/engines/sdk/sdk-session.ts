import { joinTranscript } from "../../domain/agent/transcript.ts";
import {
  EngineFailure,
  type EngineSession,
  type SessionImages,
  type StepEvent,
  type StepInput,
} from "../../ports/engine.ts";
import type { ToolSpec } from "../../ports/tools.ts";
import { loadImages } from "./image-reference.ts";
import type { SessionSetup } from "./protocol.ts";
import type { Suspicion } from "./suspicion.ts";
import type { CallResult } from "./tool-results.ts";
import type { WorkerPlace, WorkerPool } from "./worker-pool.ts";
import { sendRequest, type WorkerRequestContext, type WorkerState } from "./worker-request.ts";

/**
 * A run in a worker process, which it shares with other runs unless it has MCP servers or is suspected. The worker holds
 * the conversation; the session holds the transcript up to the last finished step, in parts, so that the next step can
 * continue in another worker when this one ends. Anything that interrupts a step (an abort, a timeout, a consumer that stops
 * reading) ends the session in the worker; a worker that does not let it go is killed.
 */
export async function openSdkSession(
  setup: Omit<SessionSetup, "images">,
  images: SessionImages | undefined,
  pool: WorkerPool,
  suspicion: Suspicion,
  context: WorkerRequestContext,
  signal: AbortSignal,
): Promise<EngineSession> {
  const hasServers = Object.keys(setup.mcpServers).length > 0;
  let transcript = setup.transcript === null ? [] : [setup.transcript];
  let place: WorkerPlace | null = null;
  /** Whether the worker has the setup. */
  let isOpen = false;
  let offered = setup.tools;
  /** Of the last step. The worker learns them with the next one. */
  let results: readonly CallResult[] = [];
  let imageCharacters = 0;
  const state: WorkerState = { isReusable: true };
  const closed = new AbortController();
  let closing: Promise<void> | undefined;

  const weight = (): number => sizeOf(setup, offered, transcript) + imageCharacters * COPIES_OF_IMAGES;
  const attach = async (attachSignal: AbortSignal): Promise<WorkerPlace> => {
    const alone = hasServers || suspicion.isSuspected();
    const taken = await pool.take({ alone, weight: weight() }, attachSignal);
    place = taken;
    isOpen = false;
    if (!hasServers) return taken;
    // The servers are started before the run is, so that one that cannot be started is a failure to open it.
    try {
      const request = { type: "open", setup: await currentSetup() } as const;
      using opening = sendRequest(taken.channel, request, attachSignal, state, context);
      await opening.next();
      isOpen = true;
    } catch (error) {
      await detach();
      throw error;
    }
    return taken;
  };

  const currentSetup = async (): Promise<SessionSetup> => {
    const loaded = await loadImages(images, transcript);
    imageCharacters = Object.values(loaded).reduce((sum, { data }) => sum + data.length, 0);
    offered = context.tools.list();
    return {
      ...setup,
      images: loaded,
      tools: offered,
      transcript: transcript.length === 0 ? null : joinTranscript(transcript),
    };
  };

  const detach = async (): Promise<void> => {
    const left = place;
    place = null;
    if (left === null) return;
    const { isReusable } = state;
    state.isReusable = true;
    if (isReusable && hasServers) await closeServers(left, context);
    await left.leave(isReusable && !hasServers);
  };

  const requestFor = async (prompt: string | null) => {
    const shown = prompt === null || images === undefined ? {} : { images: images.shown };
    if (!isOpen) return { type: "step", prompt, ...shown, setup: await currentSetup() } as const;
    const news = results.length === 0 ? {} : { results };
    const tools = context.tools.list();
    const changed = hasSameNames(tools, offered) ? {} : { tools };
    offered = tools;
    return { type: "step", prompt, ...shown, ...changed, ...news } as const;
  };

  const step = async function* (input: StepInput, stepSignal: AbortSignal): AsyncGenerator<StepEvent> {
    const either = AbortSignal.any([stepSignal, closed.signal]);
    either.throwIfAborted();
    if (place !== null && !place.isUsable()) await detach();
    const attached = place ?? (await attach(either));
    try {
      using stepping = sendRequest(attached.channel, await requestFor(input.prompt), either, state, context);
      for (;;) {
        const event = await stepping.next();
        if (event === null || event.type === "embedded") throw new Error("a step was answered like another request");
        if (event.type === "end") {
          isOpen = true;
          ({ results } = stepping);
          transcript = event.continues === true ? [...transcript, event.transcript] : [event.transcript];
          attached.weigh(weight());
        }
        yield event;
        if (event.type === "end") break;
      }
    } catch (error) {
      if (error instanceof EngineFailure && error.class === "crash") suspicion.crashed(error.shared);
      throw error;
    } finally {
      if (!state.isReusable) await detach();
    }
    if (suspicion.acquit()) await detach();
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
  return a === b || (a.length === b.length && a.every(({ name }, index) => name === b[index]?.name));
}

/** What a session needs besides its conversation: the objects of a request and its answer. */
const LEAST_BYTES = 64 * 1024;
const BYTES_PER_TOOL = 2_048;
/** A character of a conversation is held as parsed messages, and several times while a request is made of them. */
const BYTES_PER_CHARACTER = 8;
/** An image is held as it came, and in the request that is made of it. */
const COPIES_OF_IMAGES = 4;

function sizeOf({ system }: SessionSetup, tools: readonly ToolSpec[], transcript: readonly string[]): number {
  const characters = transcript.reduce((sum, { length }) => sum + length, system.length);
  return LEAST_BYTES + tools.length * BYTES_PER_TOOL + characters * BYTES_PER_CHARACTER;
}

const CLOSE_MS = 2_000;

/** Gives MCP servers a moment to end by themselves; then the group is killed. */
async function closeServers({ channel: { worker } }: WorkerPlace, { clock }: WorkerRequestContext): Promise<void> {
  worker.send({ type: "close" });
  const timer = new AbortController();
  await Promise.race([worker.exited, clock.sleep(CLOSE_MS, timer.signal)]);
  timer.abort();
}
