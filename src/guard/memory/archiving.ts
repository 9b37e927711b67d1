import type { MemorySettings } from "../../domain/agent/definition.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { DEFAULT_MEMORY_BUDGET } from "../context/personal-sections.ts";
import { entryTokens } from "./memory-item.ts";

const UNUSED_MS = 30 * 86_400_000;

/** This many of the newest conversation files are never archived; older ones are after a month. */
export const NEWEST_DAYS = 7;

/**
 * Chooses the working memories to archive: while they do not all fit into a prompt, the oldest of those that were
 * neither changed nor recalled for a month. An entry without a time was written by hand and stays.
 */
export function chooseArchived(
  entries: readonly MemoryEntry[],
  uses: ReadonlyMap<string, number>,
  { budget = DEFAULT_MEMORY_BUDGET }: MemorySettings,
  now: number,
): readonly MemoryEntry[] {
  const working = entries.filter(({ tier, validUntil }) => tier === "working" && validUntil === undefined);
  let over = working.reduce((sum, entry) => sum + entryTokens(entry), 0) - budget;
  const unused = working
    .map((entry) => ({ entry, lastUse: lastUseOf(entry, uses) }))
    .filter(({ lastUse }) => lastUse !== null && now - lastUse > UNUSED_MS)
    .toSorted((a, b) => (a.lastUse ?? 0) - (b.lastUse ?? 0));
  return unused.flatMap(({ entry }) => {
    if (over <= 0) return [];
    over -= entryTokens(entry);
    return [entry];
  });
}

/** Returns the day before which conversations may be archived, YYYY-MM-DD. */
export function archiveBefore(now: number): string {
  return new Date(now - UNUSED_MS).toISOString().slice(0, "YYYY-MM-DD".length);
}

function lastUseOf({ id, key, updated, created }: MemoryEntry, uses: ReadonlyMap<string, number>): number | null {
  const changed = Date.parse(updated ?? created ?? "");
  if (Number.isNaN(changed)) return null;
  return Math.max(changed, uses.get(id ?? key) ?? 0);
}
