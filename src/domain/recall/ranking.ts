import { readQuery } from "./query.ts";
import { rarity, scoreTerms } from "./score.ts";

/** Texts that are all in memory, to be ranked by questions. Making it costs as much as reading them; asking, little. */
export interface Ranking {
  /** Only texts that share a telling term with the question, the best first. */
  rank(question: string, limit?: number): readonly { readonly index: number; readonly score: number }[];
}

/** A term that more than this share of many texts hold tells them apart by nothing. */
const COMMON_SHARE = 0.25;
const MANY = 40;

/** Given the terms of each text. */
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
  const isCommon = (held: readonly number[]): boolean => size >= MANY && held.length > size * COMMON_SHARE;

  return {
    rank(question, limit = size) {
      const query = readQuery(question);
      const holders = query.terms.map((term) => postings.get(term) ?? []);
      const telling = holders.some((held) => held.length > 0 && !isCommon(held));
      const promise = new Float64Array(size);
      const found: number[] = [];
      for (const held of holders) {
        if (telling && isCommon(held)) continue;
        const told = rarity(size, held.length);
        for (const index of held) {
          if (promise[index] === 0) found.push(index);
          promise[index] = (promise[index] ?? 0) + told;
        }
      }
      const frequency = new Map(query.terms.map((term, index) => [term, holders[index]?.length ?? 0]));
      return found
        .toSorted((a, b) => (promise[b] ?? 0) - (promise[a] ?? 0) || a - b)
        .slice(0, limit)
        .map((index) => ({
          index,
          score: scoreTerms(query, termLists[index] ?? [], { size, averageLength, frequency }),
        }))
        .toSorted((a, b) => b.score - a.score || a.index - b.index);
    },
  };
}
