import type { RecallQuery } from "./query.ts";

/**
 * How well a text answers a question, without asking a model: BM25 over terms, more for terms that follow each other as
 * in the question, and for texts that hold several of its terms. The numbers mean something only beside each other.
 */
export interface Corpus {
  /** How many texts there are, and how many terms one has on average. */
  readonly size: number;
  readonly averageLength: number;
  /** In how many texts each term of the question occurs. */
  readonly frequency: ReadonlyMap<string, number>;
}

const SATURATION = 1.2;
const LENGTH_SHARE = 0.6;
const PAIR_SHARE = 0.5;

/** How much a term tells: much when it is rare. */
export function rarity(size: number, frequency: number): number {
  return Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5));
}

export function scoreTerms(query: RecallQuery, terms: readonly string[], corpus: Corpus): number {
  const counts = new Map<string, number>();
  let pairs = 0;
  let before: string | undefined;
  for (const term of terms) {
    const asked = query.weights.has(term);
    if (asked) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (asked && before !== undefined && before !== term && query.pairs.has(`${before} ${term}`)) {
      pairs += (PAIR_SHARE * (told(query, before, corpus) + told(query, term, corpus))) / 2;
    }
    before = asked ? term : undefined;
  }
  if (counts.size === 0) return 0;
  const length = 1 - LENGTH_SHARE + LENGTH_SHARE * (terms.length / Math.max(1, corpus.averageLength));
  let score = 0;
  for (const [term, count] of counts) {
    score += (told(query, term, corpus) * (count * (SATURATION + 1))) / (count + SATURATION * length);
  }
  return score + Math.min(pairs, score);
}

function told({ weights }: RecallQuery, term: string, { size, frequency }: Corpus): number {
  return (weights.get(term) ?? 1) * rarity(size, frequency.get(term) ?? 0);
}
