import { expect, it } from "vitest";
import { createTurnGate } from "../../src/kernel/turn-gate.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it("a gate lets a few callers pass in each turn, in their order, and the first at once", async () => {
  const gate = createTurnGate(2);
  const passed: number[] = [];
  const pass = async (number: number): Promise<void> => {
    const waits = gate();
    if (waits !== undefined) await waits;
    passed.push(number);
  };
  const all = Promise.all([1, 2, 3, 4, 5].map(pass));
  expect(passed).toEqual([1, 2]);
  await turn();
  expect(passed).toEqual([1, 2, 3, 4]);
  await all;
  expect(passed).toEqual([1, 2, 3, 4, 5]);
  await turn();
  await turn();
  await pass(6);
  expect(gate()).toBeUndefined();
});
