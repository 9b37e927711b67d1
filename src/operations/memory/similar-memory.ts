import { checkNovelty, type Novelty } from "../../domain/recall/novelty.ts";
import { findSimilar } from "../../domain/recall/similar-text.ts";
import { termsOf } from "../../domain/recall/terms.ts";
import { filesOf, knownText, segmentOf } from "../../guard/memory/memory-terms.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";

/** What a memory is that is about to be stored. */
interface NewMemory {
  readonly key: string;
  readonly text: string;
  /** The key was chosen by whoever stores it. */
  readonly named: boolean;
}

export interface Comparison {
  readonly novelty: Novelty;
  /** The entry that it repeats. */
  readonly repeated: MemoryEntry | undefined;
  /** Another current entry about the same thing, which it may contradict. */
  readonly similar: MemoryEntry | undefined;
}

/** Compares a new memory with those that share its rarest words. That takes as long among ten as among ten thousand. */
export function compareMemory(listing: MemoryListing, { key, text, named }: NewMemory): Comparison {
  const files = filesOf(listing);
  const entryAt = (file: number, index: number): MemoryEntry | undefined => files[file]?.[index];
  // A memory may be reworded under its own key; only the same text is a repetition.
  const isOther = (entry: MemoryEntry): boolean =>
    entry.validUntil === undefined && (entry.key !== key || knownText(entry).text.trim() === text.trim());
  const found = findSimilar(files.map(segmentOf), termsOf(text), (file, index) => {
    const entry = entryAt(file, index);
    return entry !== undefined && isOther(entry);
  });
  const others = found.flatMap(({ segment, index, sameSubject }) => {
    const entry = entryAt(segment, index);
    return entry === undefined ? [] : [{ entry, sameSubject }];
  });
  const novelty = checkNovelty(
    text,
    named,
    others.map(({ entry }) => knownText(entry)),
  );
  return {
    novelty,
    repeated: novelty.kind === "repeat" ? others[novelty.of]?.entry : undefined,
    similar: others.find(({ entry, sameSubject }) => sameSubject && entry.key !== key)?.entry,
  };
}
