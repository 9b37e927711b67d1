import type { Clock } from "./clock.ts";

/**
 * Closes parts, the last added first. Closing is idempotent. A part that throws or exceeds the deadline is reported and
 * skipped, so that it does not keep the others open.
 */
export interface Closers extends AsyncDisposable {
  add(name: string, close: () => void | PromiseLike<void>): void;
}

export interface CloseProblem {
  readonly name: string;
  readonly error: unknown;
}

export function createClosers(
  clock: Clock,
  options: { readonly deadlineMs: number; readonly onProblem: (problem: CloseProblem) => void },
): Closers {
  const stack: { name: string; close: () => void | PromiseLike<void> }[] = [];
  let closing: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
      const { name, close } = entry;
      const finished = new AbortController();
      try {
        await Promise.race([
          (async () => close())(),
          clock.sleep(options.deadlineMs, finished.signal).then(() => {
            throw new Error(`did not close within ${options.deadlineMs} ms`);
          }),
        ]);
      } catch (error) {
        options.onProblem({ name, error });
      } finally {
        finished.abort();
      }
    }
  };

  return {
    add: (name, close) => void stack.push({ name, close }),
    [Symbol.asyncDispose]: () => (closing ??= closeAll()),
  };
}
