import { setTimeout as pause } from "node:timers/promises";
import type { Engine, StepEvent } from "../../src/ports/engine.ts";

/**
 * A model at the speed of a real one: each of its calls thinks before its first token and then says them one by one.
 * Three times it calls a tool, then it answers.
 */
const FIRST_TOKEN_MS = 800;
const TOKENS_A_SECOND = 60;
const TOKENS_BEFORE_A_TOOL = 10;
const TOKENS_OF_THE_ANSWER = 30;
const TOOLS = [
  { tool: "channel_peek", args: { limit: 10 } },
  { tool: "my_status_set", args: { task: "looking" } },
  { tool: "resource_create", args: { content: "What was found.\n".repeat(50) } },
] as const;
export const TOOL_CALLS = TOOLS.length;

/** How many times faster than a real model; 1 when something is measured. */
export interface Pace {
  speed: number;
}

/** What the model says in one call; the same for the engine and for the bare script. */
export async function* pacedCall(
  number: number,
  { speed }: Pace = { speed: 1 },
): AsyncGenerator<Extract<StepEvent, { type: "text" | "tool-call" }>> {
  await pause(FIRST_TOKEN_MS / speed);
  const isAnswer = number > TOOL_CALLS;
  const tokens = isAnswer ? TOKENS_OF_THE_ANSWER : TOKENS_BEFORE_A_TOOL;
  const started = performance.now();
  for (let i = 1; i <= tokens; i += 1) {
    // By the clock and not by the sum of its waits: a late timer must not make the model slower.
    await pause(Math.max(0, started + (i * 1_000) / TOKENS_A_SECOND / speed - performance.now()));
    yield { type: "text", text: ` word${i}` };
  }
  const tool = TOOLS[number - 1];
  if (tool !== undefined) yield { type: "tool-call", id: `call_${number}`, ...tool };
}

export function pacedEngine(pace: Pace): Engine {
  const usage = { inputTokens: 900, outputTokens: 60, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return {
    name: "mock",
    open: async (spec) => ({
      model: "mock/script",
      async *step({ number }, signal) {
        let text = "";
        for await (const event of pacedCall(number, pace)) {
          yield event;
          if (event.type === "text") text += event.text;
          else {
            const outcome = await spec.tools.call(event, signal);
            if (outcome.kind !== "result" || outcome.isError) throw new Error(JSON.stringify(outcome));
            yield { ...event, type: "tool-result", content: outcome.content, isError: false };
          }
        }
        const transcript = JSON.stringify({ number, text });
        const finished = number > TOOL_CALLS;
        yield {
          type: "end",
          transcript,
          finished,
          text,
          waitsFor: null,
          usage: { ...usage, cost: { basis: "unknown" } },
        };
      },
      [Symbol.asyncDispose]: async () => {},
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}
