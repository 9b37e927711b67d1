import type { RecallQuery } from "./query.ts";

/** What BM25 needs to know about all texts. */
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

/** The inverse document frequency of a term: high when it is rare. */
export function rarity(size: number, frequency: number): number {
  return Math.log(1 + (Math.max(size, frequency) - frequency + 0.5) / (frequency + 0.5));
}

/**
 * Returns how well a text matches a query, by BM25 over terms, with a bonus for terms that follow each other as in the
 * query. Scores are comparable only within one query.
 */
export function scoreTerms(query: RecallQuery, terms: readonly string[], corpus: Corpus): number {
  const counts = new Map<string, number>();
  let pairs = 0;
  let before: string | undefined;
  for (const term of terms) {
    const inQuery = query.weights.has(term);
    if (inQuery) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (inQuery && before !== undefined && before !== term && query.pairs.has(`${before} ${term}`)) {
      pairs += (PAIR_SHARE * (weightOf(query, before, corpus) + weightOf(query, term, corpus))) / 2;
    }
    before = inQuery ? term : undefined;
  }
  if (counts.size === 0) return 0;
  const length = 1 - LENGTH_SHARE + LENGTH_SHARE * (terms.length / Math.max(1, corpus.averageLength));
  let score = 0;
  for (const [term, count] of counts) {
    score += (weightOf(query, term, corpus) * (count * (SATURATION + 1))) / (count + SATURATION * length);
  }
  return score + Math.min(pairs, score);
}

function weightOf({ weights }: RecallQuery, term: string, { size, frequency }: Corpus): number {
  return (weights.get(term) ?? 1) * rarity(size, frequency.get(term) ?? 0);
}
