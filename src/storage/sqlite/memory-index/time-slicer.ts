import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../kernel/clock.ts";

/** How long work may run before it yields. */
const SLICE_MS = 0.5;

/** Divides long work into slices and yields to the event loop between them. */
export interface TimeSlicer {
  /** Yields if the slice is over. Called only between two complete parts of the work. */
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
