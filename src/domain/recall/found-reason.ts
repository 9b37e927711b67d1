import type { RecallQuery } from "./query.ts";

export interface FoundBecause {
  readonly terms: readonly string[];
  /** It stands beside a text that matches. */
  readonly beside: boolean;
  readonly bySubject: boolean;
  /** An embedding model says that it means something similar. */
  readonly near: boolean;
}

const MOST_WORDS = 6;

/** Returns why a text was found, for people and agents: "words: deploy, friday; same day; near by meaning". */
export function foundReason({ weights, words }: RecallQuery, { terms, beside, bySubject, near }: FoundBecause): string {
  const matched = new Set(terms.filter((term) => weights.has(term)));
  const shared = [...words].flatMap(([term, word]) => (matched.has(term) ? [word] : []));
  const sameDay = [...matched].some((term) => !words.has(term));
  const reasons = [
    shared.length === 0 ? "" : `words: ${shared.slice(0, MOST_WORDS).join(", ")}`,
    sameDay ? "same day" : "",
    bySubject ? "said by whom you ask about" : "",
    beside && shared.length === 0 ? "beside a match" : "",
    near ? "near by meaning" : "",
  ];
  return reasons.filter((reason) => reason !== "").join("; ");
}
