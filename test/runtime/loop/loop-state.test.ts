import { describe, expect, it } from "vitest";
import { transition, type LoopInput, type LoopState, type Transition } from "../../../src/runtime/loop/loop-state.ts";

const STOPPED: LoopState = { kind: "stopped" };
const IDLE: LoopState = { kind: "idle" };
const RUNNING: LoopState = { kind: "running", woken: false };
const WOKEN: LoopState = { kind: "running", woken: true };
const STOPPING: LoopState = { kind: "stopping" };
const FAILED: LoopState = { kind: "failed", failures: 2 };

const INPUTS: readonly LoopInput[] = ["start", "wake", "found-nothing", "failed", "retry", "stop", "ended"];

const look: Transition = { state: RUNNING, effect: "look" };
const stop: Transition = { state: STOPPED, effect: "none" };
const abort: Transition = { state: STOPPING, effect: "abort" };
const rest: Transition = { state: IDLE, effect: "none" };
const wait: Transition = { state: { kind: "failed", failures: 3 }, effect: "wait-and-retry" };
const remember: Transition = { state: WOKEN, effect: "none" };
/** Nothing happens. */
const ______ = null;

/** Every state with every input, in the order of `INPUTS`. */
const TABLE: readonly (readonly [string, LoopState, readonly (Transition | null)[]])[] = [
  //                    start   wake      found-nothing  failed  retry   stop    ended
  ["stopped", STOPPED, [look, ______, ______, ______, ______, stop, ______]],
  ["idle", IDLE, [______, look, ______, ______, ______, stop, ______]],
  ["running", RUNNING, [______, remember, rest, wait, ______, abort, ______]],
  ["running, woken", WOKEN, [______, remember, look, wait, ______, abort, ______]],
  ["stopping", STOPPING, [______, ______, ______, ______, ______, ______, stop]],
  ["failed", FAILED, [______, ______, ______, ______, look, stop, ______]],
];

describe("the states of a loop", () => {
  const pairs = TABLE.flatMap(([name, state, row]) =>
    INPUTS.map((input, column) => ({
      name,
      state,
      input,
      expected: row[column] ?? { state, effect: "none" as const },
    })),
  );

  it("are all in the table, with every input", () => {
    expect(pairs).toHaveLength(TABLE.length * INPUTS.length);
    expect(TABLE.every(([, , row]) => row.length === INPUTS.length)).toBe(true);
  });

  it.each(pairs)("$name, on $input [loop.states]", ({ state, input, expected }) => {
    expect(transition(state, input, 2)).toEqual(expected);
  });

  it("never lose a wake: from running, a wake leads to another look before it may rest [loop.wake-while-busy]", () => {
    const woken = transition(transition(RUNNING, "wake").state, "wake").state;
    expect(transition(woken, "found-nothing")).toEqual(look);
    expect(transition(look.state, "found-nothing")).toEqual(rest);
  });
});
