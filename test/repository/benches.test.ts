import { expect, it } from "vitest";
import type { Bench } from "../../bench/bench.ts";
import { runBenches } from "../../bench/run-benches.ts";

const works = (name: string): Bench => ({
  name,
  measures: "nothing",
  run: async () => [{ what: "one to one", ratios: [1], goal: { atMost: 1 }, detail: "1 against 1" }],
});
const breaks: Bench = {
  name: "broken",
  measures: "nothing",
  run: async () => {
    throw new Error("there is no such column");
  },
};

async function output(json: boolean) {
  let result = "";
  let problems = "";
  const ended = await runBenches(
    [works("first"), breaks, works("last")],
    { quick: true, json },
    { result: (text) => void (result += text), problem: (text) => void (problems += text) },
  );
  return { ...ended, result, problems };
}

it("a bench that throws is reported, the others are run, and the whole has failed", async () => {
  const { failed, missed, result, problems } = await output(false);
  expect({ failed, missed }).toEqual({ failed: true, missed: false });
  expect(result).toMatch(/first: nothing\n.*goal <= 1 met.*last: nothing\n.*goal <= 1 met/s);
  expect(problems).toMatch(/broken FAILED: Error: there is no such column/);
});

it("as JSON the figures of the others are printed, too", async () => {
  const { result } = await output(true);
  expect(JSON.parse(result)).toMatchObject([
    { bench: "first", median: 1, met: true },
    { bench: "broken", error: "there is no such column" },
    { bench: "last", median: 1, met: true },
  ]);
});
