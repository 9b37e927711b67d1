import { isBareReply } from "./bare-reply.ts";
import { termsOf, wordsOf } from "./terms.ts";

/**
 * Whether a text is worth remembering, decided without a model: pleasantries and repetitions are not. A text with other
 * numbers, other names, another order of the same words or a "not" is new.
 */
export type Novelty =
  | { readonly kind: "new" }
  | { readonly kind: "empty" | "trivial" }
  | { readonly kind: "repeat"; readonly of: number };

export interface KnownText {
  readonly text: string;
  readonly terms: readonly string[];
}

const MIN_TERMS = 2;
/** A named text with fewer terms is always new: two keys may have the same short value. */
const COMPARED_TERMS = 4;
const SAME_ORDER = 0.6;

/** `named`: the text has its own key, so that even a single word is information. */
export function checkNovelty(text: string, named: boolean, existing: readonly KnownText[]): Novelty {
  const words = wordsOf(text);
  if (words.length === 0) return { kind: "empty" };
  const terms = termsOf(text);
  if (isBareReply(text)) return { kind: "trivial" };
  if (!named && new Set(terms).size < MIN_TERMS) return { kind: "trivial" };
  if (named && terms.length < COMPARED_TERMS) return { kind: "new" };
  const of = existing.findIndex((other) => repeats(other, terms));
  return of === -1 ? { kind: "new" } : { kind: "repeat", of };
}

/** Whether these terms repeat the other text: it has all of them, in nearly this order. */
function repeats(other: KnownText, terms: readonly string[]): boolean {
  const others = new Set(other.terms);
  if (!terms.every((term) => others.has(term))) return false;
  const [these, those] = [pairsOf(terms), pairsOf(other.terms)];
  const shared = [...these].filter((pair) => those.has(pair)).length;
  return shared / (these.size + those.size - shared) >= SAME_ORDER;
}

function pairsOf(terms: readonly string[]): ReadonlySet<string> {
  return new Set(terms.slice(1).map((term, index) => `${terms[index]} ${term}`));
}
