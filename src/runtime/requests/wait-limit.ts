import { providerHold } from "../../operations/troubles/provider-hold.ts";
import type { DeliveryRecord } from "../../ports/store/delivery.ts";
import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { RunningProject } from "../running-project.ts";

/** A change of time, or one without an event, is noticed after at most this long. */
const CHECK_AGAIN_MS = 1_000;

/**
 * Resolves when a request does nothing but wait, for quota or for a person, and has done so for longer than the limit, or
 * will. Never resolves without a limit; rejects with the signal's reason.
 */
export async function untilWaitsTooLong(
  project: RunningProject,
  { space, deliveries }: { readonly space: string; readonly deliveries: ReadDeliveries },
  limitMs: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = project.runtime;
  if (limitMs === undefined) return never(signal);
  let waitingSince: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const happened = Promise.withResolvers<void>();
    using _observing = project.events.observe((events) => {
      if (events.some((event) => "space" in event && event.space === space)) happened.resolve();
    });
    const wait = await project.store.read(async (store) => nextMove(store, await deliveries(store), clock.now()));
    const now = clock.monotonic();
    waitingSince = wait === undefined ? undefined : (waitingSince ?? now);
    if (wait !== undefined && waitingSince !== undefined) {
      if (wait.at !== null && wait.at - clock.now() > limitMs) return;
      if (now - waitingSince >= limitMs) return;
    }
    const timer = clock.sleep(CHECK_AGAIN_MS, signal).catch(() => {});
    await Promise.race([happened.promise, timer]);
  }
}

function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

export type ReadDeliveries = (store: StoreReads) => Promise<readonly DeliveryRecord[]>;

/**
 * Returns when the first of the open deliveries goes on by itself, or null when a person has to decide; undefined while
 * any of them is worked on or waits only for its turn.
 */
async function nextMove(
  store: StoreReads,
  deliveries: readonly DeliveryRecord[],
  now: number,
): Promise<{ readonly at: number | null } | undefined> {
  const waiting: RunRecord[] = [];
  for (const { state, run: id, mailbox } of deliveries) {
    if (state.status === "acked" || state.status === "dead") continue;
    const own = id === null ? undefined : await store.runs.byId(id);
    // What nobody has begun waits with the run because of which the provider must not be asked yet.
    const run = own ?? (await providerHold(store, mailbox, now))?.run;
    if (run === undefined || run.waitsFor === null) return undefined;
    waiting.push(run);
  }
  if (waiting.length === 0) return undefined;
  if (waiting.some(({ waitsUntil }) => waitsUntil === null)) return { at: null };
  return { at: Math.min(...waiting.map(({ waitsUntil }) => waitsUntil ?? 0)) };
}
