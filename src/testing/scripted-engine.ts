import type { Engine, EngineSession, SessionSpec, StepEvent, StepInput } from "../ports/engine.ts";
import type { ToolOutcome } from "../ports/tools.ts";

/** What a script is told about the step it plays. */
export interface ScriptedStep {
  readonly agent: string;
  readonly run: string;
  /** Steps of a run count from 1, also over restarts. */
  readonly number: number;
  /** The prompt the run began with; after a resumption it comes from the transcript. */
  readonly asked: string;
  /** The part of it the run is for. */
  readonly inbox: string;
  readonly system: string;
  readonly spec: SessionSpec;
  readonly signal: AbortSignal;
  /** Calls a tool as the agent and tells the watchers. */
  call(tool: string, args: unknown): Promise<ToolOutcome>;
}

/** A text ends the run with it; `more` goes on with another step. */
export type ScriptedEnd = string | { readonly more: true; readonly text?: string };
export type Script = (step: ScriptedStep) => ScriptedEnd | Promise<ScriptedEnd>;

export interface ScriptedEngine extends Engine {
  /** Every step that was begun, in order. */
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
 * An engine for tests: a function plays every step of every agent on `backend: mock`, everything around it is the real
 * thing. It keeps the prompt and the number of finished steps as its transcript, and refuses a step that does not
 * follow the one its transcript ends with.
 */
export function scriptedEngine(script: Script): ScriptedEngine {
  const steps: ScriptedStep[] = [];
  const open = new Map<string, number>();
  let mostAtOnce = 0;

  const openSession = (spec: SessionSpec): EngineSession => {
    const { name } = spec.agent;
    let kept = spec.transcript === null ? { asked: "", finished: 0 } : (JSON.parse(spec.transcript) as Kept);
    let closed = false;
    open.set(name, (open.get(name) ?? 0) + 1);
    mostAtOnce = Math.max(mostAtOnce, ...open.values());

    async function* step(input: StepInput, signal: AbortSignal): AsyncGenerator<StepEvent> {
      signal.throwIfAborted();
      if (input.number !== kept.finished + 1) {
        throw new Error(`${spec.run}: step ${input.number} after a transcript of ${kept.finished}`);
      }
      const asked = input.prompt ?? kept.asked;
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
      kept = { asked, finished: input.number };
      const text = typeof end === "string" ? end : (end.text ?? "");
      const finished = typeof end === "string";
      yield { type: "end", transcript: JSON.stringify(kept), finished, text, waitsFor: null, usage: USAGE };
    }

    return {
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

interface Kept {
  readonly asked: string;
  readonly finished: number;
}
