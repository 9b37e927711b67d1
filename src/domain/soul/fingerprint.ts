import { termsOf } from "../recall/terms.ts";

/**
 * What two short texts have in common, by their words alone: enough to notice that somebody says the same thing again in
 * slightly other words, and nothing that would need a model. A gist is the set of words that carry meaning, and whether
 * they are meant as a do or a do not.
 */
export interface Fingerprint {
  readonly words: ReadonlySet<string>;
  readonly negative: boolean;
}

/** Said along with an instruction, and no part of what it is about. */
const AROUND = termSet("always time make sure remember future");
const NEGATIONS = termSet("never not no don't doesn't without avoid stop");

const SAME_GIST = 0.6;

export function fingerprintOf(text: string): Fingerprint {
  const terms = new Set(termsOf(text));
  return { words: terms.difference(AROUND).difference(NEGATIONS), negative: !terms.isDisjointFrom(NEGATIONS) };
}

export function isSameFingerprint(one: Fingerprint, other: Fingerprint): boolean {
  return one.negative === other.negative && overlap(one, other) >= SAME_GIST;
}

/** About the same thing, and the opposite of it. */
export function isOpposite(one: Fingerprint, other: Fingerprint): boolean {
  return one.negative !== other.negative && overlap(one, other) >= SAME_GIST;
}

function overlap({ words: one }: Fingerprint, { words: other }: Fingerprint): number {
  const all = one.union(other).size;
  return all === 0 ? 0 : one.intersection(other).size / all;
}

function termSet(words: string): ReadonlySet<string> {
  return new Set(termsOf(words));
}
