/** What a review found. `findings` is null when the document does not say it. */
export interface ReviewResult {
  readonly findings: number | null;
}

/**
 * Reads the last line of a review, "Findings: N". A model may forget it: then the items of the list count. A list with more
 * items than the line says counts, too, so that no finding is lost.
 */
export function readReview(text: string): ReviewResult {
  const stated = [...text.matchAll(/^\W*findings\W*:\W*(\d{1,4})\W*$/gimu)].at(-1)?.[1];
  const listed = [...text.matchAll(/^\s*(?:[-*]|\d+\.)\s+\W*(?:high|medium|low)\b/gimu)].length;
  if (stated === undefined) return { findings: listed > 0 ? listed : null };
  return { findings: Math.max(Number(stated), listed) };
}
