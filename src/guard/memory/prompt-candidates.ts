import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";
import { rankingOf } from "./memory-terms.ts";

/**
 * Returns the memories that may matter for a prompt, except core memory, which is always in it: first those that have words
 * of the query, archived ones too, then the newest.
 */
export function memoryCandidates({ entries }: MemoryListing, query: string, most: number): readonly MemoryEntry[] {
  const matching = rankingOf(entries)
    .rank(query, most)
    .flatMap(({ index }) => entries[index] ?? [])
    .filter(({ tier }) => tier !== "core");
  const known = new Set(matching);
  const newest = entries
    .filter((entry) => entry.tier === "working" && !known.has(entry))
    .toSorted((a, b) => (b.updated ?? "").localeCompare(a.updated ?? ""));
  return [...matching, ...newest].slice(0, most);
}
