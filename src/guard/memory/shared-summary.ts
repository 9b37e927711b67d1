import { createRanking } from "../../domain/recall/ranking.ts";
import { termsOf } from "../../domain/recall/terms.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import { knownText, rankingOf } from "./memory-terms.ts";

const MOST_ENTRIES = 5;
const MOST_SENTENCES = 2;
const SHAREABLE_CHARS = 240;
const PUBLIC_CHARS = 500;

/** An answer about what an agent shares. */
export interface SharedSummary {
  readonly lines: readonly string[];
  /** The entries it is made of. */
  readonly sources: readonly MemoryEntry[];
}

/**
 * Returns the memories that an agent shares with the asker: shareable and public ones, and those that name the asker. The
 * asker is the name of an agent of the project; null for everyone else.
 */
export function sharedEntries(entries: readonly MemoryEntry[], asker: string | null): readonly MemoryEntry[] {
  const isShared = ({ visibility, sharedWith = [] }: MemoryEntry): boolean =>
    visibility !== "private" || (asker !== null && sharedWith.includes(asker));
  // What is no longer true is told to nobody else.
  return entries.filter((entry) => entry.validUntil === undefined && isShared(entry));
}

/** Returns the sentences of shared memories that fit a question best. */
export function extractSummary(shared: readonly MemoryEntry[], question: string): SharedSummary {
  const sources = rankShared(shared, question).slice(0, MOST_ENTRIES);
  return { lines: sources.map((entry) => extract(entry, question)), sources };
}

/** Returns the shared memories that have words of the question, the best first. */
export function rankShared(shared: readonly MemoryEntry[], question: string): readonly MemoryEntry[] {
  return rankingOf(shared)
    .rank(question)
    .flatMap(({ index }) => shared[index] ?? []);
}

function extract(entry: MemoryEntry, question: string): string {
  const { text } = knownText(entry);
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n+/u).filter((sentence) => sentence.trim() !== "");
  const best = createRanking(sentences.map(termsOf))
    .rank(question)
    .slice(0, MOST_SENTENCES)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b);
  const chosen = best.length === 0 ? sentences.slice(0, 1) : best.map((index) => sentences[index] ?? "");
  const length = entry.visibility === "public" ? PUBLIC_CHARS : SHAREABLE_CHARS;
  return shortened(chosen.map((sentence) => sentence.trim()).join(" "), length);
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${cutToLength(text, length)} ...` : text;
}
