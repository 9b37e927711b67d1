import { isUntrusted, originText } from "../../domain/recall/untrusted-content.ts";
import { standing } from "../../domain/recall/relevance-boost.ts";
import type { MemoryEntry, MemoryListing } from "../../ports/personal-context.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import { valueText } from "../../domain/recall/value-text.ts";
import { rankingOf } from "./memory-terms.ts";
import { leftOut, type LeftOut } from "../context/prompt-receipt.ts";
import { itemTokens, type Item } from "../context/prompt-section.ts";
import { asBlock, asLine } from "../context/section-markup.ts";

/**
 * The memories of an agent as prompts show them. Everything that does not depend on what is asked is done once for a
 * listing, which is the same object until a file changes: prompts are made for every run, memories change rarely.
 */
export interface MemoryPromptIndex {
  /** Whole, in the order of the files. */
  readonly core: readonly Item[];
  /** Shortened where they are long; the newest first, what a person wrote by hand before them. */
  readonly working: readonly Item[];
  /** What all of them would cost. */
  readonly workingTokens: number;
  readonly archived: readonly LeftOut[];
  readonly shortened: readonly LeftOut[];
  /** The same as `working`, with what the question is about before the rest. */
  about(question: string, now: number): readonly Item[];
}

const ENTRY_CHARS = 600;
/** So many can come first because of the question; no prompt has room for more. */
const MOST_RELEVANT = 100;

const SHELVES = new WeakMap<MemoryListing["entries"], MemoryPromptIndex>();

export function memoryPromptIndexOf(entries: MemoryListing["entries"]): MemoryPromptIndex {
  const known = SHELVES.get(entries);
  if (known !== undefined) return known;
  const shelf = makeShelf(entries);
  SHELVES.set(entries, shelf);
  return shelf;
}

function makeShelf(entries: MemoryListing["entries"]): MemoryPromptIndex {
  const kept = entries.filter(({ tier }) => tier === "working").toSorted(newestFirst);
  const working = kept.map(shortItem);
  const places = new Map(kept.map((entry, place) => [entry, place] as const));
  const facts = kept.map(factsOf);
  const placeOf = entries.map((entry) => places.get(entry));
  const keys = (of: readonly MemoryEntry[]): string[] => of.map(({ key }) => key);
  return {
    core: entries.filter(({ tier }) => tier === "core").map((entry) => memoryItem(entry, Number.POSITIVE_INFINITY)),
    working,
    workingTokens: working.reduce((sum, { tokens }) => sum + tokens, 0),
    archived: leftOut("archived", keys(entries.filter(({ tier }) => tier === "archive"))),
    shortened: leftOut("shortened", keys(kept.filter((entry) => valueText(entry).length > ENTRY_CHARS))),
    about(question, now) {
      const ranked: { readonly place: number; readonly worth: number }[] = [];
      for (const { index, score } of rankingOf(entries).rank(question, MOST_RELEVANT)) {
        const place = placeOf[index];
        const known = place === undefined ? undefined : facts[place];
        if (place !== undefined && known !== undefined) ranked.push({ place, worth: score * standing(known, now) });
      }
      const first = ranked.toSorted((a, b) => b.worth - a.worth).map(({ place }) => place);
      const chosen = new Set(first);
      const rest = working.filter((_, place) => !chosen.has(place));
      return [...first.flatMap((place) => working[place] ?? []), ...rest];
    },
  };
}

/** What an entry costs in a prompt. */
export function entryTokens(entry: MemoryEntry): number {
  return shortItem(entry).tokens;
}

/** Who stands for an entry, and where it was heard. */
export function provenance(entry: Pick<MemoryEntry, "source" | "origin">): string {
  const facts = [
    `from ${asLine(entry.source)}`,
    isUntrusted(entry) ? "outside text" : "",
    asLine(originText(entry) ?? ""),
  ];
  return facts.filter((fact) => fact !== "").join(", ");
}

type PricedItem = Item & { readonly tokens: number };

/** A file that changes brings new entries; those of other files are the same objects. */
const SHORT = new WeakMap<MemoryEntry, PricedItem>();

function shortItem(entry: MemoryEntry): PricedItem {
  const known = SHORT.get(entry);
  if (known !== undefined) return known;
  const item = memoryItem(entry, ENTRY_CHARS);
  SHORT.set(entry, item);
  return item;
}

function memoryItem(entry: MemoryEntry, most: number): PricedItem {
  const whole = valueText(entry);
  const shown = whole.length > most ? `${cutToLength(whole, most)} ... (memory_recall has the rest)` : whole;
  const text = `- ${asLine(entry.key)} (${provenance(entry)}): ${asBlock(shown)}`;
  return { name: entry.key, text, tokens: itemTokens(text) };
}

function factsOf(entry: MemoryEntry) {
  const at = Date.parse(changedAt(entry) ?? "");
  return { kind: "memory", tier: entry.tier, outside: isUntrusted(entry), at: Number.isNaN(at) ? null : at } as const;
}

/** What a person wrote by hand has no time, and comes first: somebody took the trouble. */
function newestFirst(a: MemoryEntry, b: MemoryEntry): number {
  const [left, right] = [changedAt(a), changedAt(b)];
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? -1 : 1;
  return left > right ? -1 : 1;
}

function changedAt({ updated, created }: MemoryEntry): string | null {
  return updated ?? created;
}
