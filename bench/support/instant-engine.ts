import type { Engine, SessionSpec, StepEnd, StepInput } from "../../src/ports/engine.ts";

/** An engine that takes no time: what is left is the product. Each step is answered by a function. */
export type AnswerStep = (
  spec: SessionSpec,
  input: StepInput,
) => Pick<StepEnd, "finished" | "text"> | Promise<Pick<StepEnd, "finished" | "text">>;

const NO_USAGE = {
  inputTokens: null,
  outputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
  cost: { basis: "unknown" },
} as const;

export function instantEngine(answer: AnswerStep, transcript = "{}"): Engine {
  return {
    name: "mock",
    async open(spec) {
      return {
        model: "mock/script",
        async *step(input) {
          yield { type: "end", transcript, waitsFor: null, usage: NO_USAGE, ...(await answer(spec, input)) };
        },
        [Symbol.asyncDispose]: async () => {},
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
