import { termsOf } from "../recall/terms.ts";

/**
 * The meaningful words of a short text, and whether it is a negation. Two texts with the same fingerprint say the same in
 * slightly other words; no model is needed to see that.
 */
export interface Fingerprint {
  readonly words: ReadonlySet<string>;
  readonly negative: boolean;
}

/** Words of an instruction that say nothing about its subject. */
const FILLERS = termSet("always time make sure remember future");
const NEGATIONS = termSet("never not no don't doesn't without avoid stop");

const MIN_OVERLAP = 0.6;

export function fingerprintOf(text: string): Fingerprint {
  const terms = new Set(termsOf(text));
  return { words: terms.difference(FILLERS).difference(NEGATIONS), negative: !terms.isDisjointFrom(NEGATIONS) };
}

export function isSameFingerprint(one: Fingerprint, other: Fingerprint): boolean {
  return one.negative === other.negative && overlap(one, other) >= MIN_OVERLAP;
}

/** Whether one text demands the opposite of the other. */
export function isOpposite(one: Fingerprint, other: Fingerprint): boolean {
  return one.negative !== other.negative && overlap(one, other) >= MIN_OVERLAP;
}

function overlap({ words: one }: Fingerprint, { words: other }: Fingerprint): number {
  const all = one.union(other).size;
  return all === 0 ? 0 : one.intersection(other).size / all;
}

function termSet(words: string): ReadonlySet<string> {
  return new Set(termsOf(words));
}
