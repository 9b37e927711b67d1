/** What is known about a text that may answer a question, besides how well its own words match. */
export interface TextContext {
  /** How well its own words match: see `scoreTerms`. Zero when none does. */
  readonly own: number;
  /** The scores of the texts before and after it, the nearest first. `asks`: the text before it ends with a question mark. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly asks: boolean;
  /** Which share of the question's terms, by their weight, occurs in the texts of the same day. */
  readonly covered: number;
  /** Whether somebody who is named in the question said it. */
  readonly bySubject: boolean;
  /** The best `own` of the search. */
  readonly best: number;
}

/** How far a text looks for neighbours. */
export const REACH = 2;
const BESIDE = [0.35, 0.2] as const;
/** What follows a question is likely its answer. */
const ANSWER = 0.6;
const OF_DAY = 0.3;
const BY_SUBJECT = 0.3;

/**
 * Returns the score of a text where it stands. An answer often has none of the words of the question: the turn before it
 * has them, or the rest of the day is about the same thing.
 */
export function scoreInContext({ own, before, after, asks, covered, bySubject, best }: TextContext): number {
  let beside = 0;
  for (let far = 0; far < REACH; far += 1) {
    const share = BESIDE[far] ?? 0;
    beside += (asks && far === 0 ? ANSWER : share) * (before[far] ?? 0) + share * (after[far] ?? 0);
  }
  const score = (own + beside) * (bySubject ? 1 + BY_SUBJECT : 1);
  return score === 0 ? 0 : score + OF_DAY * covered * best;
}
