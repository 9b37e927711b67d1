import type { RunRecord } from "../../ports/store/run.ts";
import type { StoreReads } from "../../ports/store/store.ts";

/** A run that waits for the time that its provider named. */
export interface ProviderHold {
  readonly run: RunRecord;
  readonly until: number;
}

/**
 * Returns the run because of which an agent must not ask its provider yet, whatever else comes for the agent. An agent
 * whose files changed since that run began is not held: it may have another model. `fingerprint` is that of its
 * definition now; absent: whatever its files say.
 */
export async function providerHold(
  store: Pick<StoreReads, "deliveries" | "runs">,
  mailbox: string,
  now: number,
  fingerprint?: string,
): Promise<ProviderHold | undefined> {
  // What such a run answers is due later. Most mailboxes have nothing that is.
  if ((await store.deliveries.nextDue(mailbox, now)) === null) return undefined;
  for (const run of await store.runs.unfinished()) {
    const { waitsFor, waitsUntil: until, definition } = run;
    const waits =
      run.mailbox === mailbox && run.state === "parked" && (waitsFor === "quota" || waitsFor === "provider");
    if (!waits || until === null || until <= now) continue;
    if (fingerprint === undefined || definition?.fingerprint === fingerprint) return { run, until };
  }
  return undefined;
}
