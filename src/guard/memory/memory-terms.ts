import type { KnownText } from "../../domain/recall/novelty.ts";
import { createRanking, type Ranking } from "../../domain/recall/ranking.ts";
import { termsOf } from "../../domain/recall/terms.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";

/** Cached by object: an entry is the same object until its file changes. */
const TEXTS = new WeakMap<MemoryEntry, KnownText>();
const RANKINGS = new WeakMap<MemoryListing["entries"], Ranking>();

export function knownText(entry: MemoryEntry): KnownText {
  const cached = TEXTS.get(entry);
  if (cached !== undefined) return cached;
  const text = valueText(entry);
  const known = { text, terms: termsOf(text) };
  TEXTS.set(entry, known);
  return known;
}

/** Returns the ranking of a listing, by the keys of its entries and by their values. */
export function rankingOf(entries: MemoryListing["entries"]): Ranking {
  const cached = RANKINGS.get(entries);
  if (cached !== undefined) return cached;
  const ranking = createRanking(entries.map((entry) => [...termsOf(entry.key), ...knownText(entry).terms]));
  RANKINGS.set(entries, ranking);
  return ranking;
}
