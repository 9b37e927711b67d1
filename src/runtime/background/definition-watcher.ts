import type { BackgroundParts } from "./background-worker.ts";

/** A change that the machine does not report is noticed after at most this long. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Reads definition files soon after they changed, for what no run and no command waits for: schedules begin and end,
 * members join and leave, and the work of an agent whose file was mended goes on.
 */
export function startDefinitionWatcher({ definitions, clock, log }: BackgroundParts): AsyncDisposable {
  const closing = new AbortController();
  let lookNow = (): void => {};
  const watching = definitions.watch(() => lookNow());

  const look = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const changed = new Promise<void>((resolve) => (lookNow = resolve));
      await Promise.race([changed, clock.sleep(LOOK_AGAIN_MS, closing.signal).catch(() => {})]);
      if (closing.signal.aborted) return;
      try {
        await definitions.refresh();
      } catch (error) {
        log.error("could not read the definition files", { error });
      }
    }
  };
  const looking = look();

  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      watching[Symbol.dispose]();
      lookNow();
      await looking;
    },
  };
}
