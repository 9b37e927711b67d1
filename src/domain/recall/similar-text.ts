import { isDateTerm } from "./date-terms.ts";
import { frequencyIn, type TextSegment } from "./segment.ts";

/** Another text about the same thing. */
export interface SimilarText {
  readonly segment: number;
  readonly index: number;
  /** It has every word of the new text. */
  readonly repeats: boolean;
  /** Most of both texts is the same words: they are about the same thing. */
  readonly sameSubject: boolean;
}

/** Only the rarest terms are looked up, and only so many texts of each: a search costs the same among any number of texts. */
const LOOKED_UP = 8;
const PER_TERM = 200;
const MIN_SHARED = 2;
const SAME_SUBJECT = 0.5;
/** A term that a quarter of many texts hold says little about what they are about. */
const COMMON_SHARE = 0.25;
const COMMON_WEIGHT = 0.3;
const MANY = 40;

/** Returns the texts that repeat these terms or are about the same thing, the most similar first. */
export function findSimilar(
  segments: readonly TextSegment[],
  terms: readonly string[],
  mayBe: (segment: number, index: number) => boolean,
): readonly SimilarText[] {
  const size = segments.reduce((sum, { texts }) => sum + texts.length, 0);
  const frequencies = new Map<string, number>();
  const frequencyOf = (term: string): number => {
    const known = frequencies.get(term) ?? frequencyIn(segments, term);
    frequencies.set(term, known);
    return known;
  };
  const termWeight = (term: string): number =>
    size >= MANY && frequencyOf(term) > size * COMMON_SHARE ? COMMON_WEIGHT : 1;
  const own = new Set(terms);
  const weight = weightOf(own, termWeight);
  const rarest = [...own]
    .filter((term) => frequencyOf(term) > 0)
    .toSorted((a, b) => frequencyOf(a) - frequencyOf(b))
    .slice(0, LOOKED_UP);
  const similar: (SimilarText & { readonly share: number })[] = [];
  for (const [segment, index] of textsWith(segments, rarest)) {
    const others = new Set(segments[segment]?.texts[index]?.terms);
    const shared = [...own].filter((term) => others.has(term));
    const common = weightOf(shared, termWeight);
    const repeats = shared.length === own.size;
    if (shared.length < MIN_SHARED || (!repeats && common < SAME_SUBJECT * weight) || !mayBe(segment, index)) continue;
    const words = [...others].filter((term) => !isDateTerm(term));
    const share = common / Math.max(weight, weightOf(words, termWeight));
    const sameSubject = share >= SAME_SUBJECT;
    if (repeats || sameSubject) similar.push({ segment, index, share, repeats, sameSubject });
  }
  return similar.toSorted((a, b) => b.share - a.share);
}

function weightOf(terms: Iterable<string>, weight: (term: string) => number): number {
  let sum = 0;
  for (const term of terms) sum += weight(term);
  return sum;
}

/** Returns where texts with at least two of the terms are, looking at the newest texts of each term. */
function textsWith(segments: readonly TextSegment[], terms: readonly string[]): (readonly [number, number])[] {
  const found = segments.map(() => new Map<number, number>());
  for (const term of terms) {
    let left = PER_TERM;
    for (let segment = segments.length - 1; segment >= 0 && left > 0; segment -= 1) {
      const counts = found[segment];
      for (const index of segments[segment]?.postings.get(term)?.slice(-left) ?? []) {
        counts?.set(index, (counts.get(index) ?? 0) + 1);
        left -= 1;
      }
    }
  }
  return found.flatMap((counts, segment) =>
    [...counts].flatMap(([index, count]) => (count < MIN_SHARED ? [] : [[segment, index] as const])),
  );
}
