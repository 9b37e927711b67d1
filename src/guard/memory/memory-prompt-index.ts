import { relevanceBoost } from "../../domain/recall/relevance-boost.ts";
import { isUntrusted, originText, UNTRUSTED_MARK } from "../../domain/recall/untrusted-content.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import { leftOut, type LeftOut } from "../context/prompt-receipt.ts";
import { itemTokens, type Item } from "../context/prompt-section.ts";
import { asBlock, asLine } from "../context/section-markup.ts";
import { rankingOf } from "./memory-terms.ts";

/**
 * The memories of an agent as prompts show them. Everything that does not depend on the query is computed once for a
 * listing, which is the same object until a file changes.
 */
export interface MemoryPromptIndex {
  /** Complete, in the order of the files. */
  readonly core: readonly Item[];
  /** Shortened if long. Entries that a person wrote by hand come first, then the newest. */
  readonly working: readonly Item[];
  /** The tokens of all working entries. */
  readonly workingTokens: number;
  readonly archived: readonly LeftOut[];
  readonly shortened: readonly LeftOut[];
  /** The same as `working`, with the entries that match the query first. */
  rankedBy(query: string, now: number): readonly Item[];
}

const ENTRY_CHARS = 600;
/** At most this many entries are ranked: no prompt has room for more. */
const MOST_RELEVANT = 100;

const INDEXES = new WeakMap<MemoryListing["entries"], MemoryPromptIndex>();

export function memoryPromptIndexOf(entries: MemoryListing["entries"]): MemoryPromptIndex {
  const cached = INDEXES.get(entries);
  if (cached !== undefined) return cached;
  const index = buildIndex(entries);
  INDEXES.set(entries, index);
  return index;
}

function buildIndex(entries: MemoryListing["entries"]): MemoryPromptIndex {
  const sorted = entries.filter(({ tier }) => tier === "working").toSorted(newestFirst);
  const working = sorted.map(shortItem);
  const positions = new Map(sorted.map((entry, position) => [entry, position] as const));
  const facts = sorted.map(factsOf);
  const positionOf = entries.map((entry) => positions.get(entry));
  const keys = (of: readonly MemoryEntry[]): string[] => of.map(({ key }) => key);
  return {
    core: entries.filter(({ tier }) => tier === "core").map((entry) => memoryItem(entry, Number.POSITIVE_INFINITY)),
    working,
    workingTokens: working.reduce((sum, { tokens }) => sum + tokens, 0),
    archived: leftOut("archived", keys(entries.filter(({ tier }) => tier === "archive"))),
    shortened: leftOut("shortened", keys(sorted.filter((entry) => valueText(entry).length > ENTRY_CHARS))),
    rankedBy(query, now) {
      const ranked: { readonly position: number; readonly relevance: number }[] = [];
      for (const { index, score } of rankingOf(entries).rank(query, MOST_RELEVANT)) {
        const position = positionOf[index];
        const fact = position === undefined ? undefined : facts[position];
        if (position !== undefined && fact !== undefined)
          ranked.push({ position, relevance: score * relevanceBoost(fact, now) });
      }
      const first = ranked.toSorted((a, b) => b.relevance - a.relevance).map(({ position }) => position);
      const chosen = new Set(first);
      const rest = working.filter((_, position) => !chosen.has(position));
      return [...first.flatMap((position) => working[position] ?? []), ...rest];
    },
  };
}

/** Returns the tokens of an entry in a prompt. */
export function entryTokens(entry: MemoryEntry): number {
  return shortItem(entry).tokens;
}

/** Returns the source and the origin of an entry as text. */
function provenance(entry: Pick<MemoryEntry, "source" | "origin">): string {
  const facts = [
    `from ${asLine(entry.source)}`,
    isUntrusted(entry) ? UNTRUSTED_MARK : "",
    asLine(originText(entry) ?? ""),
  ];
  return facts.filter((fact) => fact !== "").join(", ");
}

type PricedItem = Item & { readonly tokens: number };

/** Cached by object: only the entries of a changed file are new objects. */
const SHORT = new WeakMap<MemoryEntry, PricedItem>();

/** Returns an entry as prompts show it, shortened if long. */
export function shortItem(entry: MemoryEntry): PricedItem {
  const cached = SHORT.get(entry);
  if (cached !== undefined) return cached;
  const item = memoryItem(entry, ENTRY_CHARS);
  SHORT.set(entry, item);
  return item;
}

function memoryItem(entry: MemoryEntry, maxChars: number): PricedItem {
  const value = valueText(entry);
  const shown = value.length > maxChars ? `${cutToLength(value, maxChars)} ... (memory_recall has the rest)` : value;
  const text = `- ${asLine(entry.key)} (${provenance(entry)}): ${asBlock(shown)}`;
  return { name: entry.key, text, tokens: itemTokens(text) };
}

function factsOf(entry: MemoryEntry) {
  const at = Date.parse(changedAt(entry) ?? "");
  return { kind: "memory", tier: entry.tier, outside: isUntrusted(entry), at: Number.isNaN(at) ? null : at } as const;
}

/** An entry without a time was written by hand and sorts first. */
function newestFirst(a: MemoryEntry, b: MemoryEntry): number {
  const [left, right] = [changedAt(a), changedAt(b)];
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  return left > right ? -1 : 1;
}

function changedAt({ updated, created }: MemoryEntry): string | null {
  return updated ?? created;
}
