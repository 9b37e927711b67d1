import type { Clock } from "./clock.ts";

/**
 * Lets a few callers pass at once, in their order, and the next few when those have done their work, until a turn of the
 * event loop has taken long enough; the others wait for a later turn. Without it what a hundred callers do at once is one
 * long turn, in which nobody else gets an answer. Those that pass in one turn share its commits.
 */
export type TurnGate = () => Promise<void> | undefined;

export interface TurnGateOptions {
  /** How many pass before the gate looks at the time. */
  readonly atOnce: number;
  /** When this has passed, the turn is over. */
  readonly turnMs: number;
}

export function createTurnGate(clock: Pick<Clock, "monotonic">, { atOnce, turnMs }: TurnGateOptions): TurnGate {
  const waiting: (() => void)[] = [];
  let passed = 0;
  let scheduled = false;
  let began = 0;

  const nextTurn = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      began = clock.monotonic();
      open();
    });
  };
  const open = (): void => {
    passed = 0;
    for (; passed < atOnce && waiting.length > 0; passed += 1) waiting.shift()?.();
    if (waiting.length > 0) afterTheirWork(goOn);
    else if (passed > 0) nextTurn();
  };
  const goOn = (): void => {
    if (clock.monotonic() - began < turnMs) open();
    else nextTurn();
  };

  return () => {
    nextTurn();
    if (passed >= atOnce || waiting.length > 0) return new Promise((resolve) => waiting.push(resolve));
    passed += 1;
    return undefined;
  };
}

/** Calls the function when everything has been done that those who passed can do without waiting for anything else. */
function afterTheirWork(next: () => void): void {
  queueMicrotask(() => process.nextTick(next));
}
