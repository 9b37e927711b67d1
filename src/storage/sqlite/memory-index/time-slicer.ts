import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock.ts";

/** How long work may run before it yields. */
const SLICE_MS = 0.5;

/** Runs tasks one after another, and yields to the event loop in between. */
export interface TimeSlicer {
  /** Yields when it is time to. No work is half done when it is called. */
  next(): Promise<void>;
  readonly over: boolean;
}

export function createTimeSlicer(clock: Clock): TimeSlicer {
  let since = clock.monotonic();
  return {
    get over() {
      return clock.monotonic() - since >= SLICE_MS;
    },
    async next() {
      if (clock.monotonic() - since < SLICE_MS) return;
      await setImmediate();
      since = clock.monotonic();
    },
  };
}
