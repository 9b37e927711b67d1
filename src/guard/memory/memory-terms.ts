import type { KnownText } from "../../domain/recall/novelty.ts";
import { createRanking } from "../../domain/recall/ranking.ts";
import { isQuestion } from "../../domain/recall/same-question.ts";
import { createSegment, type SegmentText, type TextSegment } from "../../domain/recall/segment.ts";
import { speakerTerms } from "../../domain/recall/speaker.ts";
import { termsOf } from "../../domain/recall/terms.ts";
import { sessionOf, textTerms } from "../../domain/recall/text-terms.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";

/** Cached by object: an entry is the same object until its file changes, and so is the list of a file's entries. */
const TEXTS = new WeakMap<MemoryEntry, KnownText>();
const RANKED = new WeakMap<MemoryEntry, SegmentText>();
const SEGMENTS = new WeakMap<readonly MemoryEntry[], TextSegment>();

export function knownText(entry: MemoryEntry): KnownText {
  const cached = TEXTS.get(entry);
  if (cached !== undefined) return cached;
  const text = valueText(entry);
  const known = { text, terms: termsOf(text) };
  TEXTS.set(entry, known);
  return known;
}

/** Returns the entries of a listing by file. */
export function filesOf({ entries, files }: MemoryListing): readonly (readonly MemoryEntry[])[] {
  return files ?? [entries];
}

/** Returns the index of the entries of one file. */
export function segmentOf(entries: readonly MemoryEntry[]): TextSegment {
  const cached = SEGMENTS.get(entries);
  if (cached !== undefined) return cached;
  const segment = createSegment(entries.map(rankedText));
  SEGMENTS.set(entries, segment);
  return segment;
}

/** When it was written, in milliseconds since the epoch; null for an entry written by hand. */
export function entryTime({ updated, created }: Pick<MemoryEntry, "updated" | "created">): number | null {
  const at = Date.parse(updated ?? created ?? "");
  return Number.isNaN(at) ? null : at;
}

function rankedText(entry: MemoryEntry): SegmentText {
  const cached = RANKED.get(entry);
  if (cached !== undefined) return cached;
  const { text } = knownText(entry);
  // The day a memory is from is the day it was first stored: a new wording does not move it away from its neighbours.
  const at = entryTime({ updated: null, created: entry.created ?? entry.updated });
  const source = { kind: "memory", key: entry.key, text, source: entry.source, at } as const;
  const ranked = {
    terms: textTerms(source),
    session: sessionOf(source),
    speaker: speakerTerms(text),
    asks: isQuestion(text),
  };
  RANKED.set(entry, ranked);
  return ranked;
}

/** Returns a ranking of entries by their keys and values, each for itself. */
export function rankingOf(entries: readonly MemoryEntry[]) {
  return createRanking(entries.map((entry) => rankedText(entry).terms));
}
