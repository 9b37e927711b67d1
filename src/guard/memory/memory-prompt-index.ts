import { rankSegments } from "../../domain/recall/ranking.ts";
import { relevanceBoost } from "../../domain/recall/relevance-boost.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";
import type { Item } from "../context/prompt-section.ts";
import { memoryItem, shortItem, SHORT_CHARS } from "./memory-item.ts";
import { entryTime, filesOf, segmentOf } from "./memory-terms.ts";

/**
 * The memories of an agent as prompts show them. What does not depend on the query is computed once for each file, whose
 * list of entries is the same object until the file changes.
 */
export interface MemoryPromptIndex {
  /** Complete, in the order of the files. */
  readonly core: readonly Item[];
  /** The tokens of all working entries, and how many there are. */
  readonly workingTokens: number;
  readonly workingCount: number;
  /** How many entries are set aside: archived, or replaced by others. */
  readonly setAsideCount: number;
  /** The working entries, shortened if long. Those that a person wrote by hand come first, then the newest. */
  working(): readonly MemoryItem[];
  /** The working entries and those set aside that match the query, the best first. */
  matching(query: string, now: number): readonly MemoryItem[];
  /** The keys of the working entries, and of those set aside, in the order of the files. */
  workingNames(): readonly string[];
  setAside(): readonly string[];
}

/** An entry as a prompt shows it. */
export interface MemoryItem extends Item {
  readonly entry: MemoryEntry;
  readonly isShort: boolean;
}

/** At most this many entries are ranked: no prompt has room for more. */
const MOST_RELEVANT = 100;

const INDEXES = new WeakMap<MemoryListing["entries"], MemoryPromptIndex>();

export function memoryPromptIndexOf(listing: MemoryListing): MemoryPromptIndex {
  const cached = INDEXES.get(listing.entries);
  if (cached !== undefined) return cached;
  const index = buildIndex(listing);
  INDEXES.set(listing.entries, index);
  return index;
}

/** Whether an entry is in prompts only when they are about it. */
export function isSetAside({ tier, validUntil }: MemoryEntry): boolean {
  return tier === "archive" || validUntil !== undefined;
}

interface FileIndex {
  readonly core: readonly Item[];
  readonly working: readonly MemoryEntry[];
  readonly workingTokens: number;
  readonly setAside: readonly MemoryEntry[];
}

const FILES = new WeakMap<readonly MemoryEntry[], FileIndex>();

function fileIndexOf(entries: readonly MemoryEntry[]): FileIndex {
  const cached = FILES.get(entries);
  if (cached !== undefined) return cached;
  const current = entries.filter((entry) => !isSetAside(entry));
  const working = current.filter(({ tier }) => tier === "working");
  const index = {
    core: current.filter(({ tier }) => tier === "core").map((entry) => memoryItem(entry, Number.POSITIVE_INFINITY)),
    working,
    workingTokens: working.reduce((sum, entry) => sum + shortItem(entry).tokens, 0),
    setAside: entries.filter(isSetAside),
  };
  FILES.set(entries, index);
  return index;
}

function buildIndex(listing: MemoryListing): MemoryPromptIndex {
  const files = filesOf(listing);
  const indexes = files.map(fileIndexOf);
  const sum = (count: (index: FileIndex) => number): number => indexes.reduce((all, index) => all + count(index), 0);
  let sorted: readonly MemoryItem[] | undefined;
  let workingNames: readonly string[] | undefined;
  let setAsideNames: readonly string[] | undefined;
  return {
    core: indexes.flatMap(({ core }) => core),
    workingTokens: sum(({ workingTokens }) => workingTokens),
    workingCount: sum(({ working }) => working.length),
    setAsideCount: sum(({ setAside }) => setAside.length),
    workingNames: () => (workingNames ??= indexes.flatMap(({ working }) => working.map(({ key }) => key))),
    setAside: () => (setAsideNames ??= indexes.flatMap(({ setAside }) => setAside.map(({ key }) => key))),
    working: () => {
      sorted ??= indexes
        .flatMap(({ working }) => working)
        .toSorted(newestFirst)
        .map(toItem);
      return sorted;
    },
    matching(query, now) {
      const ranked = rankSegments(files.map(segmentOf), query, { now, limit: MOST_RELEVANT });
      return ranked
        .flatMap(({ segment, index, score }) => {
          const entry = files[segment]?.[index];
          if (entry === undefined || (entry.tier === "core" && !isSetAside(entry))) return [];
          return [{ entry, relevance: score * relevanceBoost(factsOf(entry), now) }];
        })
        .toSorted((a, b) => b.relevance - a.relevance)
        .map(({ entry }) => toItem(entry));
    },
  };
}

function toItem(entry: MemoryEntry): MemoryItem {
  return { ...shortItem(entry), entry, isShort: valueText(entry).length > SHORT_CHARS };
}

function factsOf(entry: MemoryEntry) {
  const { tier, validUntil } = entry;
  return { kind: "memory", tier, outside: isUntrusted(entry), at: entryTime(entry), validUntil } as const;
}

/** An entry without a time was written by hand and sorts first. */
function newestFirst(a: MemoryEntry, b: MemoryEntry): number {
  const [left, right] = [a.updated ?? a.created, b.updated ?? b.created];
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  return left > right ? -1 : 1;
}
