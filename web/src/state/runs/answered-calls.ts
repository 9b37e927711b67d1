import type { StepView, ToolCallView } from "../../../../src/contract/runs.ts";

/** A call of a step. One that waited for a decision is made in a later step, which has its answer. */
export interface StepCall extends ToolCallView {
  /** The number of that step. Undefined when the call was not made again. */
  readonly answeredIn: number | undefined;
}

/** Returns the calls of each step, by the number of the step. */
export function answeredCalls(
  steps: readonly Pick<StepView, "number" | "calls">[],
): ReadonlyMap<number, readonly StepCall[]> {
  const taken = new Set<ToolCallView>();
  const answerOf = (asked: ToolCallView, after: number): number | undefined => {
    for (const { number, calls } of steps) {
      if (number <= after) continue;
      const answer = calls.find((each) => each.result !== null && isSame(each, asked) && !taken.has(each));
      if (answer === undefined) continue;
      taken.add(answer);
      return number;
    }
    return undefined;
  };
  return new Map(
    steps.map(({ number, calls }) => [
      number,
      calls.map((call) => ({ ...call, answeredIn: call.result === null ? answerOf(call, number) : undefined })),
    ]),
  );
}

function isSame(a: ToolCallView, b: ToolCallView): boolean {
  return a.tool === b.tool && a.args === b.args;
}
