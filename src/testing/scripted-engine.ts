import type { Engine, EngineSession, SessionSpec, StepEvent, StepInput } from "../ports/engine.ts";
import type { ToolOutcome } from "../ports/tools.ts";

/** The step that a script plays. */
export interface ScriptedStep {
  readonly agent: string;
  readonly run: string;
  /** Steps of a run count from 1, also over restarts. */
  readonly number: number;
  /** The last prompt of the run; for a step without a prompt, the one in the transcript. */
  readonly asked: string;
  /** The inbox in that prompt: the messages the run is for. */
  readonly inbox: string;
  readonly system: string;
  readonly spec: SessionSpec;
  readonly signal: AbortSignal;
  /** Calls a tool as the agent. The call and its result become events of the step. */
  call(tool: string, args: unknown): Promise<ToolOutcome>;
}

/** A text ends the run and is its answer; `more` continues with another step. */
export type ScriptedEnd = string | { readonly more: true; readonly text?: string };
export type Script = (step: ScriptedStep) => ScriptedEnd | Promise<ScriptedEnd>;

export interface ScriptedEngine extends Engine {
  /** Every started step, in order. */
  readonly steps: readonly ScriptedStep[];
  /** The most sessions one agent ever had open at the same time. */
  readonly mostAtOnce: number;
}

const USAGE = {
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  cost: { basis: "unknown" },
} as const;

/**
 * An engine for tests: a function plays every step of every agent on `backend: mock`, and everything else is real. Its
 * transcript is the prompt and the number of finished steps. It refuses a step that does not follow the last one of its
 * transcript.
 */
export function scriptedEngine(script: Script): ScriptedEngine {
  const steps: ScriptedStep[] = [];
  const open = new Map<string, number>();
  let mostAtOnce = 0;

  const openSession = (spec: SessionSpec): EngineSession => {
    const { name } = spec.agent;
    let transcript = { asked: "", finished: 0 };
    if (spec.transcript !== null) transcript = JSON.parse(spec.transcript) as typeof transcript;
    let closed = false;
    open.set(name, (open.get(name) ?? 0) + 1);
    mostAtOnce = Math.max(mostAtOnce, ...open.values());

    async function* step(input: StepInput, signal: AbortSignal): AsyncGenerator<StepEvent> {
      signal.throwIfAborted();
      if (input.number !== transcript.finished + 1) {
        throw new Error(`${spec.run}: step ${input.number} after a transcript of ${transcript.finished}`);
      }
      const asked = input.prompt ?? transcript.asked;
      const events: StepEvent[] = [];
      const played: ScriptedStep = {
        agent: name,
        run: spec.run,
        number: input.number,
        asked,
        inbox: /<inbox\b[^>]*>([^]*)<\/inbox>/.exec(asked)?.[1] ?? "",
        system: spec.system,
        spec,
        signal,
        async call(tool, args) {
          const id = `call_${input.number}_${events.length}`;
          events.push({ type: "tool-call", id, tool, args });
          const outcome = await spec.tools.call({ id, tool, args }, signal);
          if (outcome.kind === "result") {
            events.push({ type: "tool-result", id, tool, content: outcome.content, isError: outcome.isError });
          }
          return outcome;
        },
      };
      steps.push(played);
      const end = await script(played);
      signal.throwIfAborted();
      yield* events;
      transcript = { asked, finished: input.number };
      const text = typeof end === "string" ? end : (end.text ?? "");
      const finished = typeof end === "string";
      yield { type: "end", transcript: JSON.stringify(transcript), finished, text, waitsFor: null, usage: USAGE };
    }

    return {
      model: "mock/script",
      step,
      async [Symbol.asyncDispose]() {
        if (!closed) open.set(name, (open.get(name) ?? 1) - 1);
        closed = true;
      },
    };
  };

  return {
    name: "mock",
    steps,
    get mostAtOnce() {
      return mostAtOnce;
    },
    open: async (spec, signal) => {
      signal.throwIfAborted();
      return openSession(spec);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
