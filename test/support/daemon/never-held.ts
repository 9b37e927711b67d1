import type { WorkHold } from "../../../src/runtime/work-hold.ts";

export const NEVER_HELD: WorkHold = {
  isHeld: () => false,
  goOn: () => {},
  goOnEverywhere: () => {},
  whenGoingOn: () => ({ [Symbol.dispose]: () => {} }),
};
