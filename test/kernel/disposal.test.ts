import { expect, it } from "vitest";
import { createClosers, type CloseProblem } from "../../src/kernel/disposal.ts";
import { manualClock } from "../support/manual-clock.ts";

function openClosers() {
  const clock = manualClock();
  const problems: CloseProblem[] = [];
  const closed: string[] = [];
  const closers = createClosers(clock, { deadlineMs: 1_000, onProblem: (problem) => void problems.push(problem) });
  const add = (name: string): void => closers.add(name, () => void closed.push(name));
  return { clock, problems, closed, closers, add };
}

it("closes the last opened first, each after the one before it has closed", async () => {
  const { closers, closed, add } = openClosers();
  add("store");
  closers.add("loop", async () => {
    closed.push("loop begins");
    await Promise.resolve();
    closed.push("loop ends");
  });
  add("server");
  await closers[Symbol.asyncDispose]();
  expect(closed).toEqual(["server", "loop begins", "loop ends", "store"]);
});

it("closing twice is closing once, also at the same time", async () => {
  const { closers, closed, add } = openClosers();
  add("store");
  await Promise.all([closers[Symbol.asyncDispose](), closers[Symbol.asyncDispose]()]);
  await closers[Symbol.asyncDispose]();
  expect(closed).toEqual(["store"]);
});

it("reports a closer that throws or rejects, and closes the rest", async () => {
  const { closers, closed, problems, add } = openClosers();
  const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
  add("store");
  closers.add("mirror", () => {
    throw thrown;
  });
  closers.add("loop", () => Promise.reject(rejected));
  await closers[Symbol.asyncDispose]();
  expect(problems).toEqual([
    { name: "loop", error: rejected },
    { name: "mirror", error: thrown },
  ]);
  expect(closed).toEqual(["store"]);
});

it("leaves a closer behind that outlives its deadline; each has its own", async () => {
  const { clock, closers, closed, problems, add } = openClosers();
  add("store");
  closers.add("stuck", () => new Promise(() => {}));
  closers.add("slow", () => clock.sleep(900));
  const closing = closers[Symbol.asyncDispose]();
  clock.advance(900);
  await turn();
  expect(problems).toEqual([]);
  clock.advance(999);
  await turn();
  expect(closed).toEqual([]);
  clock.advance(1);
  await closing;
  expect(problems).toMatchObject([{ name: "stuck", error: { message: expect.stringContaining("1000 ms") } }]);
  expect(closed).toEqual(["store"]);
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
