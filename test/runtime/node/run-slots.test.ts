import { describe, expect, it } from "vitest";
import { createRunSlots } from "../../../src/runtime/node/run-slots.ts";

describe("places for runs", () => {
  it("are as many as the capacity, and who wanted one in vain is told of the next", () => {
    const slots = createRunSlots(1);
    let told = 0;
    using _listening = slots.onFree(() => void (told += 1));
    const first = slots.take();
    expect(first).toBeDefined();
    expect(slots.take()).toBeUndefined();
    first?.[Symbol.dispose]();
    expect(told).toBe(1);
    // A place that nobody wanted in vain is given back quietly: otherwise an idle agent would wake itself for ever.
    slots.take()?.[Symbol.dispose]();
    expect(told).toBe(1);
  });

  it("are endless without a capacity", () => {
    const slots = createRunSlots(null);
    expect(Array.from({ length: 1000 }, () => slots.take()).every((slot) => slot !== undefined)).toBe(true);
  });
});
