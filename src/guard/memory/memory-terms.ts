import { createRanking, type Ranking } from "../../domain/recall/ranking.ts";
import { termsOf } from "../../domain/recall/terms.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { KnownText } from "../../domain/recall/novelty.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";

/** What entries are found by. They are the same objects until their file changes, so each is read once. */
const KNOWN = new WeakMap<MemoryEntry, KnownText>();
const RANKINGS = new WeakMap<MemoryListing["entries"], Ranking>();

export function knownText(entry: MemoryEntry): KnownText {
  const before = KNOWN.get(entry);
  if (before !== undefined) return before;
  const text = valueText(entry);
  const known = { text, terms: termsOf(text) };
  KNOWN.set(entry, known);
  return known;
}

/** The entries of a listing, ready to be ranked by questions: by their keys as well as by what they say. */
export function rankingOf(entries: MemoryListing["entries"]): Ranking {
  const before = RANKINGS.get(entries);
  if (before !== undefined) return before;
  const ranking = createRanking(entries.map((entry) => [...termsOf(entry.key), ...knownText(entry).terms]));
  RANKINGS.set(entries, ranking);
  return ranking;
}
