import { createRanking } from "../../domain/recall/ranking.ts";
import { termsOf } from "../../domain/recall/terms.ts";
import type { MemoryEntry } from "../../ports/personal-context.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import { knownText, rankingOf } from "./memory-terms.ts";

const MOST_ENTRIES = 5;
const MOST_SENTENCES = 2;
const SHAREABLE_CHARS = 240;
const PUBLIC_CHARS = 1000;

/**
 * Returns what an agent shares about a question of another agent: the matching sentences of its shareable and public
 * memories, without keys or ids. Private memories are not read.
 */
export function sharedSummary(entries: readonly MemoryEntry[], question: string): readonly string[] {
  const shared = entries.filter(({ visibility }) => visibility !== "private");
  return rankingOf(shared)
    .rank(question)
    .slice(0, MOST_ENTRIES)
    .flatMap(({ index }) => {
      const entry = shared[index];
      if (entry === undefined) return [];
      const { text } = knownText(entry);
      return [entry.visibility === "public" ? shortened(text, PUBLIC_CHARS) : extract(text, question)];
    });
}

/** Returns the sentences that match the question best, in their order. */
function extract(text: string, question: string): string {
  const sentences = text.split(/(?<=[.!?。！？])\s+|\n+/u).filter((sentence) => sentence.trim() !== "");
  const best = createRanking(sentences.map(termsOf))
    .rank(question)
    .slice(0, MOST_SENTENCES)
    .map(({ index }) => index)
    .toSorted((a, b) => a - b);
  const chosen = best.length === 0 ? sentences.slice(0, 1) : best.map((index) => sentences[index] ?? "");
  return shortened(chosen.map((sentence) => sentence.trim()).join(" "), SHAREABLE_CHARS);
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${cutToLength(text, length)} ...` : text;
}
