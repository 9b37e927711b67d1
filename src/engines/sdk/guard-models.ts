import type { Clock } from "../../kernel/clock.ts";
import { createRedactor } from "../../kernel/redact.ts";
import { EngineFailure } from "../../ports/engine.ts";
import type { GuardModelChoice, GuardModels, ModelFailure } from "../../ports/guard-models.ts";
import type { ToolHost } from "../../ports/tools.ts";
import { nameableVariables } from "../shared/environment.ts";
import { valueOrFailure } from "../shared/failure-text.ts";
import { createPlaces } from "../shared/places.ts";
import type { EmbeddedTexts, ModelTarget } from "./protocol.ts";
import { resolveModel, withModule } from "./resolve-model.ts";
import { openWorkerPool, type SdkEngineOptions } from "./sdk-engine.ts";
import { openSdkSession } from "./sdk-session.ts";
import { NEVER_SUSPECTED } from "./suspicion.ts";
import { sendRequest, type WorkerRequestContext, type WorkerState } from "./worker-request.ts";

/** Requests that are made at the same time. Further ones wait, and waiting counts as their time. */
const MOST_AT_ONCE = 4;
const CONNECT_MS = 10_000;
/** A text and its vector, as they are while a request is made. */
const BYTES_PER_CHARACTER = 64;

/**
 * The models of the guard, in a worker process of their own: what the guard asks must not end the process of a run, and the
 * runs not that of the guard. Creating it starts one process, so create it when the guard first asks.
 */
export function createGuardModels(options: SdkEngineOptions): GuardModels & AsyncDisposable {
  const { clock, log, env = process.env } = options;
  const pool = openWorkerPool(options, { size: 1, cores: 1 });
  const places = createPlaces(MOST_AT_ONCE);

  const contextOf = (target: ModelTarget, timeoutMs: number): WorkerRequestContext => ({
    clock,
    timeouts: { connect: Math.min(CONNECT_MS, timeoutMs) },
    target,
    tools: NO_TOOLS,
    redact: createRedactor({ secrets: target.apiKey === null ? [] : [target.apiKey] }).redact,
    warn: (message) => log.warn(message, { model: `${target.provider}/${target.model}` }),
  });

  /** Does the work within the time limit. Every failure becomes a value. */
  const attempt = async <T extends { readonly ok: true }>(
    { model, provider, timeoutMs }: GuardModelChoice & { readonly timeoutMs: number },
    work: (context: WorkerRequestContext, signal: AbortSignal) => Promise<T>,
  ): Promise<T | ModelFailure> => {
    using limit = timeLimit(clock, timeoutMs, model);
    try {
      const agent = { model, ...(provider === undefined ? {} : { provider }) };
      const known = { ...env, ...(await options.storedKeys?.()) };
      const resolved = resolveModel(agent, known, nameableVariables(known, options.projectVariables));
      const target = valueOrFailure(withModule(valueOrFailure(resolved), options.packages ?? {}));
      pool.preload(target.module);
      using _place = await places.take(limit.signal);
      return await work(contextOf(target, timeoutMs), limit.signal);
    } catch (error) {
      if (!(error instanceof EngineFailure)) log.error("a model of the guard failed", { model, error });
      return { ok: false, reason: error instanceof EngineFailure ? error.message : "The model could not be asked." };
    }
  };

  return {
    complete: ({ instructions, input, maxOutputTokens, ...choice }) =>
      attempt(choice, async (context, signal) => {
        const setup = {
          model: context.target,
          system: instructions,
          tools: [],
          mcpServers: {},
          mcpEnvironment: {},
          cwd: "",
          maxOutputTokens,
          transcript: null,
        };
        await using session = await openSdkSession(setup, undefined, pool, NEVER_SUSPECTED, context, signal);
        for await (const event of session.step({ number: 1, prompt: input }, signal)) {
          if (event.type !== "end") continue;
          const { inputTokens, outputTokens } = event.usage;
          return {
            ok: true,
            text: event.text,
            usage: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 },
          };
        }
        throw new EngineFailure("transient", "The answer of the model did not come to an end.");
      }),
    embed: ({ texts, ...choice }) =>
      attempt(choice, async (context, signal) => {
        if (texts.length === 0) return { ok: true, vectors: [], usage: { inputTokens: 0, outputTokens: 0 } };
        const { vectors, tokens } = await embedIn(context, signal, texts);
        return { ok: true, vectors: vectors.map(readVector), usage: { inputTokens: tokens ?? 0, outputTokens: 0 } };
      }),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };

  async function embedIn(context: WorkerRequestContext, signal: AbortSignal, texts: readonly string[]) {
    const weight = texts.reduce((sum, { length }) => sum + length, 0) * BYTES_PER_CHARACTER;
    const place = await pool.take({ alone: false, weight }, signal);
    const state: WorkerState = { isReusable: true };
    try {
      using request = sendRequest(
        place.channel,
        { type: "embed", model: context.target, texts },
        signal,
        state,
        context,
      );
      const answer = await request.next();
      if (!isEmbedded(answer)) throw new Error("a request for vectors was answered like another request");
      return answer;
    } finally {
      await place.leave(state.isReusable);
    }
  }
}

const NO_TOOLS: ToolHost = {
  list: () => [],
  call: async ({ tool }) => ({ kind: "result", content: `There is no tool "${tool}".`, isError: true }),
};

function isEmbedded(answer: object | null): answer is EmbeddedTexts {
  return answer !== null && "vectors" in answer;
}

function readVector(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function timeLimit(clock: Clock, timeoutMs: number, model: string): Disposable & { readonly signal: AbortSignal } {
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(timeoutMs, done.signal).then(
    () =>
      late.abort(
        new EngineFailure("transient", `${model} did not answer within ${timeoutMs / 1000} s (guard.budget.time).`),
      ),
    () => {},
  );
  return { signal: late.signal, [Symbol.dispose]: () => done.abort() };
}
