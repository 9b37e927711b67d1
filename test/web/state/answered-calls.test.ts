import { expect, test } from "vitest";
import { answeredCalls } from "../../../web/src/state/runs/answered-calls.ts";

const call = (args: string, result: string | null) => ({ tool: "edit", args, result, failed: false });

test("[ui.runs] a call that waited for its approval has its answer in the step that made it", () => {
  const steps = [
    { number: 1, calls: [call("a", null), call("b", "done"), call("a", null), call("c", null)] },
    { number: 2, calls: [call("a", "made"), call("b", "again")] },
    { number: 3, calls: [call("a", "made twice")] },
  ];
  const answered = answeredCalls(steps);
  expect(answered.get(1)?.map(({ answeredIn }) => answeredIn)).toEqual([2, undefined, 3, undefined]);
  expect(answered.get(2)?.map(({ answeredIn }) => answeredIn)).toEqual([undefined, undefined]);
});
