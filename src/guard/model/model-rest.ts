import type { Clock } from "../../kernel/clock.ts";

const FAILURES = 3;
const REST_MS = 60_000;

/**
 * A model that failed three times in a row is not asked for a minute: every run would wait for it in vain. Then it is asked
 * once, and rests again when it fails.
 */
export interface ModelRest {
  /** Why the model is not asked now; undefined when it may be asked. */
  reason(model: string): string | undefined;
  failed(model: string): void;
  answered(model: string): void;
}

export function createModelRest(clock: Pick<Clock, "monotonic">): ModelRest {
  const failures = new Map<string, { readonly count: number; readonly at: number }>();
  return {
    reason(model) {
      const { count, at } = failures.get(model) ?? { count: 0, at: 0 };
      if (count < FAILURES || clock.monotonic() - at >= REST_MS) return undefined;
      return `It failed ${count} times in a row, and is asked again after a minute.`;
    },
    failed: (model) =>
      void failures.set(model, { count: (failures.get(model)?.count ?? 0) + 1, at: clock.monotonic() }),
    answered: (model) => void failures.delete(model),
  };
}
