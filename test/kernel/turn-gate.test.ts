import { expect, it } from "vitest";
import { createTurnGate } from "../../src/kernel/turn-gate.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Callers whose work takes so long each; `passed` are those that were let through. */
function callers(workMs: number) {
  let now = 0;
  const gate = createTurnGate({ monotonic: () => now }, { atOnce: 2, turnMs: 5 });
  const passed: number[] = [];
  const pass = async (number: number): Promise<void> => {
    const waits = gate();
    if (waits !== undefined) await waits;
    passed.push(number);
    await Promise.resolve();
    now += workMs;
  };
  return { gate, passed, pass };
}

it("a gate lets a few callers pass in each turn, in their order, and the first at once", async () => {
  const { gate, passed, pass } = callers(3);
  const all = Promise.all([1, 2, 3, 4, 5, 6, 7].map(pass));
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4, 5, 6]);
  await all;
  expect(passed).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await turn();
  await turn();
  await pass(8);
  expect(gate()).toBeUndefined();
});

it("more pass in the same turn while their work is short", async () => {
  const { passed, pass } = callers(1);
  const all = Promise.all(Array.from({ length: 20 }, (_, number) => pass(number)));
  expect(passed).toHaveLength(2);
  await turn();
  // Two, and two more each time until 5 ms have passed.
  expect(passed).toHaveLength(2 + 6);
  await all;
  expect(passed).toEqual(Array.from({ length: 20 }, (_, number) => number));
});
