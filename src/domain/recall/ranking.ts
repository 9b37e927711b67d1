import { readQuery } from "./query.ts";
import { scoreTerms } from "./score.ts";

/** Texts that are all in memory, to be ranked by questions. Making it costs as much as reading them; asking, little. */
export interface Ranking {
  /** Only texts that share a term with the question, the best first. */
  rank(question: string): readonly { readonly index: number; readonly score: number }[];
}

/** Given the terms of each text. */
export function createRanking(termLists: readonly (readonly string[])[]): Ranking {
  const total = termLists.reduce((sum, terms) => sum + terms.length, 0);
  const postings = new Map<string, number[]>();
  for (const [index, terms] of termLists.entries()) {
    for (const term of new Set(terms)) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [index]);
      else list.push(index);
    }
  }
  return {
    rank(question) {
      const query = readQuery(question);
      const found = new Set(query.terms.flatMap((term) => postings.get(term) ?? []));
      const corpus = {
        size: termLists.length,
        averageLength: total / Math.max(1, termLists.length),
        frequency: new Map(query.terms.map((term) => [term, postings.get(term)?.length ?? 0])),
      };
      return [...found]
        .map((index) => ({ index, score: scoreTerms(query, termLists[index] ?? [], corpus) }))
        .toSorted((a, b) => b.score - a.score || a.index - b.index);
    },
  };
}
