/** A text as rankings know it. */
export interface SegmentText {
  readonly terms: readonly string[];
  /** The day it belongs to: see `sessionOf`. */
  readonly session: string | null;
  /** The terms of the name of whoever said it; empty when the text does not say it. */
  readonly speaker: readonly string[];
  readonly asks: boolean;
}

/**
 * Some texts with an index of their terms, in memory. The texts of a file are one segment: when a file changes, only its
 * segment is built again, so that a change costs the same however many texts there are in other files.
 */
export interface TextSegment {
  readonly texts: readonly SegmentText[];
  /** The positions of the texts that contain a term, in order. */
  readonly postings: ReadonlyMap<string, readonly number[]>;
  /** The number of terms of all texts together. */
  readonly length: number;
}

export function createSegment(texts: readonly SegmentText[]): TextSegment {
  const postings = new Map<string, number[]>();
  let length = 0;
  for (const [position, { terms }] of texts.entries()) {
    length += terms.length;
    for (const term of terms) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [position]);
      else if (list.at(-1) !== position) list.push(position);
    }
  }
  return { texts, postings, length };
}

/** Returns in how many texts of the segments a term occurs. */
export function frequencyIn(segments: readonly TextSegment[], term: string): number {
  let count = 0;
  for (const { postings } of segments) count += postings.get(term)?.length ?? 0;
  return count;
}
