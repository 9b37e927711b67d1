import { isDateTerm } from "./date-terms.ts";
import { rarity } from "./score.ts";
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
const PER_TERM = 300;
const MIN_SHARED = 2;
const SAME_SUBJECT = 0.5;

/** Returns the texts that repeat these terms or are about the same thing, the most similar first. */
export function findSimilar(
  segments: readonly TextSegment[],
  terms: readonly string[],
  mayBe: (segment: number, index: number) => boolean,
): readonly SimilarText[] {
  const size = segments.reduce((sum, { texts }) => sum + texts.length, 0);
  const weights = new Map<string, number>();
  for (const term of terms) if (!weights.has(term)) weights.set(term, rarity(size, frequencyIn(segments, term)));
  const rarest = [...weights]
    .filter(([term]) => frequencyIn(segments, term) > 0)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, LOOKED_UP);
  const candidates = new Set<string>();
  for (const [term] of rarest) {
    let left = PER_TERM;
    for (let segment = segments.length - 1; segment >= 0 && left > 0; segment -= 1) {
      for (const index of segments[segment]?.postings.get(term)?.slice(-left) ?? []) {
        candidates.add(`${segment} ${index}`);
        left -= 1;
      }
    }
  }
  const similar: (SimilarText & { readonly share: number })[] = [];
  for (const place of candidates) {
    const [segment = 0, index = 0] = place.split(" ").map(Number);
    if (!mayBe(segment, index)) continue;
    const others = new Set(segments[segment]?.texts[index]?.terms.filter((term) => !isDateTerm(term)));
    const shared = [...weights].filter(([term]) => others.has(term));
    if (shared.length < MIN_SHARED) continue;
    const weightOf = (of: Iterable<string>): number =>
      [...of].reduce((sum, term) => sum + (weights.get(term) ?? rarity(size, frequencyIn(segments, term))), 0);
    const common = weightOf(shared.map(([term]) => term));
    const share = common / Math.max(weightOf(weights.keys()), weightOf(others));
    const [repeats, sameSubject] = [shared.length === weights.size, share >= SAME_SUBJECT];
    if (repeats || sameSubject) similar.push({ segment, index, share, repeats, sameSubject });
  }
  return similar.toSorted((a, b) => b.share - a.share);
}
