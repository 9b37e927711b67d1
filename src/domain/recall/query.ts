import { questionDateTerms } from "./date-terms.ts";
import { stem } from "./stem.ts";
import { isStopWord, termsOf, wordsOf } from "./terms.ts";

/** A question, prepared for the search. Names and numbers weigh more than other words. */
export interface RecallQuery {
  /** Each once, in the order of the question; then the terms of its dates. */
  readonly terms: readonly string[];
  readonly weights: ReadonlyMap<string, number>;
  /** Terms that follow each other in the question, as `a b`. */
  readonly pairs: ReadonlySet<string>;
  /** The word of the question that a term comes from. Terms of dates have none. */
  readonly words: ReadonlyMap<string, string>;
}

/** More terms of a long message cost time and find hardly anything. */
const MAX_TERMS = 24;
const MAX_DATE_TERMS = 8;
const NAME_WEIGHT = 1.3;

/** `now`: what "yesterday" in the question is counted from. */
export function readQuery(text: string, now: number): RecallQuery {
  const words = new Map<string, string>();
  const sequence: string[] = [];
  for (const word of wordsOf(text)) {
    if (isStopWord(word)) continue;
    const term = stem(word);
    sequence.push(term);
    if (!words.has(term) && words.size < MAX_TERMS) words.set(term, word);
  }
  const named = new Set(namesIn(text).flatMap(termsOf));
  const weights = new Map<string, number>();
  for (const term of words.keys()) weights.set(term, named.has(term) || /\d/.test(term) ? NAME_WEIGHT : 1);
  const dates = [...questionDateTerms(text, now)].slice(0, MAX_DATE_TERMS);
  for (const [term, weight] of dates) weights.set(term, weight);
  const pairs = sequence.slice(1).map((term, index) => `${sequence[index]} ${term}`);
  return { terms: [...weights.keys()], weights, pairs: new Set(pairs), words };
}

/** Returns capitalised words inside sentences, and quoted texts. */
function namesIn(text: string): string[] {
  const names = text.match(/(?<=[\p{L}\p{N},;:]\s+)\p{Lu}[\p{L}\p{N}_-]+/gu) ?? [];
  const quoted = [...text.matchAll(/["“`]([^"”`\n]{2,60})["”`]/gu)].map(([, inner = ""]) => inner);
  return [...names, ...quoted];
}
