import type { MemoryEntry } from "../../ports/personal-context.ts";
import type { MemoryUse } from "../../ports/store/memory.ts";

const OFTEN = 3;
const LATELY_MS = 14 * 86_400_000;

/** Finds archived entries that were recalled often and lately: they are worth their place in prompts again. */
export function findRecalledOften(
  entries: readonly MemoryEntry[],
  uses: ReadonlyMap<string, MemoryUse>,
  now: number,
): readonly { readonly entry: MemoryEntry; readonly times: number }[] {
  return entries.flatMap((entry) => {
    const use = uses.get(entry.id ?? entry.key);
    if (entry.tier !== "archive" || use === undefined) return [];
    return use.times >= OFTEN && now - use.at <= LATELY_MS ? [{ entry, times: use.times }] : [];
  });
}
