import type { MockScript, MockStep } from "../../domain/agent/mock-script.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Random } from "../../kernel/random.ts";
import { EngineFailure, type EngineSession, type StepEnd, type StepEvent, type StepInput } from "../../ports/engine.ts";
import type { ToolCall, ToolHost } from "../../ports/tools.ts";
import { valueOrFailure } from "../shared/failure-text.ts";
import { defaultAnswer } from "./default-answer.ts";
import { fillData, fillText, type Values } from "./fill-template.ts";
import { writeTranscript, type ScriptPlace, type MockTranscript } from "./mock-transcript.ts";
import { readPrompt } from "./read-prompt.ts";
import type { ScriptProgress } from "./script-progress.ts";

/**
 * One run on the mock engine. A step of the script is a step of the run. The position moves only when the step has
 * ended, so an interrupted step is repeated.
 */
export interface MockSessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly tools: ToolHost;
  readonly script: MockScript | null;
  /** Null if and only if there is no script. */
  readonly progress: ScriptProgress | null;
  /** Of a run that resumes. */
  readonly transcript: MockTranscript | null;
}

/** The result of a step besides its events. */
interface Played {
  readonly text: string;
  readonly values: Values;
  readonly waiting: ScriptPlace["waiting"];
  readonly waitsFor: string | null;
}

const WORDS_PER_PIECE = 3;
const MAX_STORED_RESULT = 64 * 1024;
const CHARACTERS_PER_TOKEN = 4;

export function openMockSession(options: MockSessionOptions): EngineSession {
  const { clock, random, tools, script, progress } = options;
  const closed = new AbortController();
  let position = options.transcript?.position ?? null;
  /** The position that the next step adds to; null when it leaves everything. */
  let stored = options.transcript?.isList === true ? position : null;

  async function* step(input: StepInput, outer: AbortSignal): AsyncGenerator<StepEvent> {
    const signal = AbortSignal.any([outer, closed.signal]);
    signal.throwIfAborted();
    const prompt = input.prompt ?? "";
    const at = position ?? start(prompt);
    if (at.turn === null || progress === null) {
      const answer = defaultAnswer(readPrompt(prompt));
      yield* stream(answer, 0, signal);
      yield ended({ text: answer, values: {}, waiting: null, waitsFor: null }, { ...at, next: 1 }, true, prompt);
      return;
    }

    const steps = script?.turns[at.turn]?.steps ?? [];
    const next = skipFailures(steps, at, progress);
    const current = steps[next];
    const played = yield* play(current, at, input.number, signal);
    const after = played.waiting === null ? next + 1 : next;
    const finished = after >= steps.length && played.waitsFor === null;
    progress.played(at.turn);
    if (finished) progress.finished(at.turn);
    const { values, waiting } = played;
    yield ended(played, { turn: at.turn, next: after, values, waiting }, finished, prompt);
  }

  function ended(played: Played, reached: ScriptPlace, finished: boolean, prompt: string): StepEnd {
    const left = { transcript: writeTranscript(reached, stored), continues: stored !== null };
    position = stored = reached;
    return {
      type: "end",
      ...left,
      finished,
      text: played.text,
      waitsFor: played.waitsFor,
      usage: {
        inputTokens: Math.ceil(prompt.length / CHARACTERS_PER_TOKEN),
        outputTokens: Math.ceil(played.text.length / CHARACTERS_PER_TOKEN),
        cachedInputTokens: null,
        cacheWriteTokens: null,
        reasoningTokens: null,
        cost: { basis: "reported", usd: 0 },
      },
    };
  }

  function start(prompt: string): ScriptPlace {
    const messages = readPrompt(prompt);
    const chosen = script === null ? null : progress?.choose(script, messages.map(({ text }) => text).join("\n\n"));
    const last = messages.at(-1);
    const values = { sender: last?.sender ?? "user", message: last?.text ?? "", ...chosen?.found };
    return { turn: chosen?.turn ?? null, next: 0, values, waiting: null };
  }

  async function* play(
    current: MockStep | undefined,
    { values, waiting }: ScriptPlace,
    number: number,
    signal: AbortSignal,
  ): AsyncGenerator<StepEvent, Played> {
    const silent: Played = { text: "", values, waiting: null, waitsFor: null };
    if (waiting !== null) return yield* call(waiting, current, values, signal);
    switch (current?.kind) {
      case undefined:
        return silent;
      case "say": {
        const text = valueOrFailure(fillText(current.text, values, withoutMentions));
        yield* stream(text, current.paceMs ?? 0, signal);
        return { ...silent, text };
      }
      case "call": {
        const args = valueOrFailure(fillData(current.args, values));
        const made: ToolCall = { id: `call_${number}`, tool: current.tool, args };
        yield { type: "tool-call", ...made };
        return yield* call(made, current, values, signal);
      }
      case "delay":
        await clock.sleep(current.minMs + Math.floor(random() * (current.maxMs - current.minMs + 1)), signal);
        return silent;
      case "fail": {
        yield* stream(valueOrFailure(fillText(current.after ?? "", values, withoutMentions)), 0, signal);
        const { retryAfterMs } = current;
        const message = current.message ?? `The script says to fail here (${current.class}).`;
        throw new EngineFailure(current.class, message, retryAfterMs === undefined ? {} : { retryAfterMs });
      }
    }
  }

  async function* call(
    made: ToolCall,
    current: MockStep | undefined,
    values: Values,
    signal: AbortSignal,
  ): AsyncGenerator<StepEvent, Played> {
    const outcome = await tools.call(made, signal);
    if (outcome.kind === "approval") return { text: "", values, waiting: made, waitsFor: outcome.approval };
    const { content, isError, structured } = outcome;
    yield { type: "tool-result", ...made, content, isError };
    const stored = (structured === undefined ? content : JSON.stringify(structured)).slice(0, MAX_STORED_RESULT);
    const name = current?.kind === "call" ? current.as : undefined;
    const added = { ...values, result: stored, ...(name === undefined ? {} : { [name]: stored }) };
    return { text: "", values: added, waiting: null, waitsFor: null };
  }

  async function* stream(text: string, paceMs: number, signal: AbortSignal): AsyncGenerator<StepEvent> {
    for (const [piece] of text.matchAll(new RegExp(`\\s*(?:\\S+\\s*){1,${WORDS_PER_PIECE}}`, "g"))) {
      signal.throwIfAborted();
      yield { type: "text", text: piece };
      if (paceMs > 0) await clock.sleep(paceMs, signal);
    }
    signal.throwIfAborted();
  }

  return {
    model: "mock/script",
    step,
    [Symbol.asyncDispose]: async () => {
      closed.abort(new EngineFailure("transient", "The session was closed while it was at work."));
    },
  };
}

/** Returns the index of the step to play. A `fail` step that has failed often enough is skipped. */
function skipFailures(
  steps: readonly MockStep[],
  { turn, next, waiting }: ScriptPlace,
  progress: ScriptProgress,
): number {
  let index = next;
  for (; waiting === null; index += 1) {
    const step = steps[index];
    if (step?.kind !== "fail" || turn === null || progress.fails(turn, index, step.times ?? 1)) break;
  }
  return index;
}

/** A value inside the agent's text is data: mentions in it must not notify agents. */
function withoutMentions(text: string): string {
  return text.replaceAll("@", "\\@");
}
