import { readQuery } from "./query.ts";
import { rarity, scoreTerms } from "./score.ts";

/** Ranks texts in memory by questions. Creating it costs as much as reading the texts; ranking costs little. */
export interface Ranking {
  /** Returns only texts that share a distinctive term with the question, the best first. */
  rank(question: string, limit?: number): readonly { readonly index: number; readonly score: number }[];
}

/** A term that more than this share of many texts hold does not distinguish them. */
const COMMON_SHARE = 0.25;
const MANY = 40;

/** `termLists` are the terms of each text. */
export function createRanking(termLists: readonly (readonly string[])[]): Ranking {
  const size = termLists.length;
  const averageLength = termLists.reduce((sum, terms) => sum + terms.length, 0) / Math.max(1, size);
  const postings = new Map<string, number[]>();
  for (const [index, terms] of termLists.entries()) {
    for (const term of new Set(terms)) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [index]);
      else list.push(index);
    }
  }
  const isCommon = (texts: readonly number[]): boolean => size >= MANY && texts.length > size * COMMON_SHARE;

  return {
    rank(question, limit = size) {
      const query = readQuery(question);
      const matches = query.terms.map((term) => postings.get(term) ?? []);
      const distinctive = matches.some((texts) => texts.length > 0 && !isCommon(texts));
      const estimate = new Float64Array(size);
      const found: number[] = [];
      for (const texts of matches) {
        if (distinctive && isCommon(texts)) continue;
        const weight = rarity(size, texts.length);
        for (const index of texts) {
          if (estimate[index] === 0) found.push(index);
          estimate[index] = (estimate[index] ?? 0) + weight;
        }
      }
      const frequency = new Map(query.terms.map((term, index) => [term, matches[index]?.length ?? 0]));
      return found
        .toSorted((a, b) => (estimate[b] ?? 0) - (estimate[a] ?? 0) || a - b)
        .slice(0, limit)
        .map((index) => ({
          index,
          score: scoreTerms(query, termLists[index] ?? [], { size, averageLength, frequency }),
        }))
        .toSorted((a, b) => b.score - a.score || a.index - b.index);
    },
  };
}
