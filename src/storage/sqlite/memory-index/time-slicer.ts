import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock.ts";

/** Others get a turn after this long. */
const SLICE_MS = 0.5;

/** Does things one after another and lets others have a turn in between. */
export interface TimeSlicer {
  /** Waits when it is time to; between two calls of it no work is left half done. */
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
