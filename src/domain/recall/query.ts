import { termsOf } from "./terms.ts";

/** A question, prepared for the search. Names and numbers weigh more than other words. */
export interface RecallQuery {
  /** Each once, in the order of the question. */
  readonly terms: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
  /** Terms that follow each other in the question, as `a b`. */
  readonly pairs: ReadonlySet<string>;
}

/** More terms of a long message cost time and find hardly anything. */
const MAX_TERMS = 24;
const NAME_WEIGHT = 1.3;

export function readQuery(text: string): RecallQuery {
  const sequence = termsOf(text);
  const terms = [...new Set(sequence)].slice(0, MAX_TERMS);
  const named = new Set(namesIn(text).flatMap(termsOf));
  const pairs = sequence.slice(1).map((term, index) => `${sequence[index]} ${term}`);
  return {
    terms,
    weights: new Map(terms.map((term) => [term, named.has(term) || /\d/.test(term) ? NAME_WEIGHT : 1])),
    pairs: new Set(pairs),
  };
}

/** Returns capitalised words inside sentences, and quoted texts. */
function namesIn(text: string): string[] {
  const names = text.match(/(?<=[\p{L}\p{N},;:]\s+)\p{Lu}[\p{L}\p{N}_-]+/gu) ?? [];
  const quoted = [...text.matchAll(/["“`]([^"”`\n]{2,60})["”`]/gu)].map(([, inner = ""]) => inner);
  return [...names, ...quoted];
}
