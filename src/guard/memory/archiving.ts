import type { MemorySettings } from "../../domain/agent/definition.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { entryTokens } from "./memory-prompt-index.ts";
import { DEFAULT_MEMORY_BUDGET } from "../context/personal-sections.ts";

/**
 * Which working memories go to the archive. Only when there are more than a prompt may hold, so that a small memory is
 * never touched; then those nobody changed or recalled for longest, and only as many as have to. What has no time was
 * written by hand and stays where its author put it.
 */
const UNUSED_MS = 30 * 86_400_000;

/** Conversations of earlier days go when this many days are newer, and a month has passed. */
export const KEPT_DAYS = 7;

export function chooseArchived(
  entries: readonly MemoryEntry[],
  uses: ReadonlyMap<string, number>,
  { budget = DEFAULT_MEMORY_BUDGET }: MemorySettings,
  now: number,
): readonly MemoryEntry[] {
  const working = entries.filter(({ tier }) => tier === "working");
  let over = working.reduce((sum, entry) => sum + entryTokens(entry), 0) - budget;
  const unused = working
    .map((entry) => ({ entry, touched: touchedAt(entry, uses) }))
    .filter(({ touched }) => touched !== null && now - touched > UNUSED_MS)
    .toSorted((a, b) => (a.touched ?? 0) - (b.touched ?? 0));
  return unused.flatMap(({ entry }) => {
    if (over <= 0) return [];
    over -= entryTokens(entry);
    return [entry];
  });
}

/** The day before which conversations may be set aside, YYYY-MM-DD. */
export function archiveBefore(now: number): string {
  return new Date(now - UNUSED_MS).toISOString().slice(0, "YYYY-MM-DD".length);
}

function touchedAt({ id, key, updated, created }: MemoryEntry, uses: ReadonlyMap<string, number>): number | null {
  const changed = Date.parse(updated ?? created ?? "");
  if (Number.isNaN(changed)) return null;
  return Math.max(changed, uses.get(id ?? key) ?? 0);
}
