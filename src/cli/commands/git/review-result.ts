/** What a review found. `findings` is null when the document does not say it. */
export interface ReviewResult {
  readonly findings: number | null;
}

const LEVEL = String.raw`(?:high|medium|low)\b`;
const PLACE = String.raw`[\w/.-]*\w\.\w+:\d+`;
const ITEM = String.raw`^\s*(?:[-*+]|\d+[.)]|#{1,6}|\|)\s+`;

/**
 * How models write a finding, although one form was asked for: an item of a list or a bold line that begins with a level,
 * a heading that says more than the level, a row of a table with a level in a cell.
 */
const FORMS = [
  new RegExp(String.raw`^\s*(?:[-*+]|\d+[.)])\s+\W*${LEVEL}`, "gimu"),
  new RegExp(String.raw`^\W*${LEVEL}.*${PLACE}`, "gimu"),
  new RegExp(
    String.raw`^#{1,6}\s+(?:(?:finding\s*)?#?\d+\S?\s+)?\W*${LEVEL}[^\w\n]+(?!(?:none|nothing|no|0|findings?|severity|priority|issues?|level|risk)\b)\w`,
    "gimu",
  ),
  new RegExp(String.raw`^\s*\|(?:[^|\n]*\|)*?[^\w|\n]*${LEVEL}[^\w|\n]*\|`, "gimu"),
];

/**
 * Reads the last line of a review, "Findings: N". A model may forget it, or count wrongly: the most that the line or any form
 * of a list says counts, so that no finding is lost. Better one too many than none.
 */
export function readReview(text: string): ReviewResult {
  const stated = [...text.matchAll(/^\W*findings\W*:\W*(\d{1,4})\W*$/gimu)].at(-1)?.[1];
  const listed = Math.max(...FORMS.map((form) => [...text.matchAll(form)].length), placesBelowFindings(text));
  if (stated === undefined) return { findings: listed > 0 ? listed : null };
  return { findings: Math.max(Number(stated), listed) };
}

/** Items that name a place in the section of the findings, where the level is a heading of its own. */
function placesBelowFindings(text: string): number {
  const at = text.search(/^#{1,6}\s+\W*findings\b/imu);
  return at === -1 ? 0 : [...text.slice(at).matchAll(new RegExp(`${ITEM}.*${PLACE}`, "gimu"))].length;
}
