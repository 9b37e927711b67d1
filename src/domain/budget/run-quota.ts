/** What a run uses up when it changes something. `changes` is everything that has no kind of its own, such as votes. */
export type QuotaKind = "messages" | "documents" | "ballots" | "notes" | "changes" | "bytes";

export type QuotaLimits = Readonly<Record<QuotaKind, number>>;

const MIB = 1024 * 1024;

/** Far above what real work needs, so that only a run that repeats itself reaches it. */
export const RUN_LIMITS: QuotaLimits = {
  messages: 200,
  documents: 200,
  ballots: 20,
  notes: 200,
  changes: 500,
  bytes: 16 * MIB,
};

/** For all runs of one agent in one space, in any 60 seconds. */
export const MINUTE_LIMITS: QuotaLimits = {
  messages: 60,
  documents: 60,
  ballots: 10,
  notes: 60,
  changes: 200,
  bytes: 16 * MIB,
};

const MINUTE_MS = 60_000;

/** Something that was used up, and when. */
export interface QuotaUse {
  readonly at: number;
  readonly amount: number;
}

/** Returns the uses that still count at this time: those of the last minute. The list is in the order of time. */
export function usesInMinute(uses: readonly QuotaUse[], now: number): readonly QuotaUse[] {
  const first = uses.findIndex(({ at }) => at > now - MINUTE_MS);
  return first === -1 ? [] : uses.slice(first);
}

/** Returns when `amount` fits within the limit, if nothing else is used until then: as old uses stop counting. */
export function freeAt(uses: readonly QuotaUse[], amount: number, limit: number): number {
  let total = uses.reduce((sum, use) => sum + use.amount, 0);
  for (const use of uses) {
    total -= use.amount;
    if (total + amount <= limit) return use.at + MINUTE_MS;
  }
  return (uses.at(-1)?.at ?? 0) + MINUTE_MS;
}
