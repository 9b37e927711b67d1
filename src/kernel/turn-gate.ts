/**
 * Lets so many callers pass in each turn of the event loop, in their order; the others wait for a later turn. Without it
 * what a hundred callers do at once is one long turn, in which nobody else gets an answer.
 */
export type TurnGate = () => Promise<void> | undefined;

export function createTurnGate(most: number): TurnGate {
  const waiting: (() => void)[] = [];
  let passed = 0;
  let scheduled = false;

  const open = (): void => {
    scheduled = false;
    passed = 0;
    for (let next = waiting.shift(); next !== undefined; next = passed < most ? waiting.shift() : undefined) {
      passed += 1;
      next();
    }
    if (passed > 0) schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(open);
  };

  return () => {
    schedule();
    if (passed >= most || waiting.length > 0) return new Promise((resolve) => waiting.push(resolve));
    passed += 1;
    return undefined;
  };
}
