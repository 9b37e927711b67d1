/**
 * What two short texts have in common, by their words alone: enough to notice that somebody says the same thing again in
 * slightly other words, and nothing that would need a model. A gist is the set of words that carry meaning, and whether
 * they are meant as a do or a do not.
 */
export interface Gist {
  readonly words: ReadonlySet<string>;
  readonly negative: boolean;
}

const EMPTY_WORDS = new Set(
  (
    "a an and any are as at be been by can could did do does for from had has have how i if in into is it its just me my " +
    "of on or our please should so some that the their them then there these they this those to up us was we were what " +
    "when which who will with would you your always again really every each time now make sure remember"
  ).split(" "),
);
const NEGATIONS = /\b(?:never|not|no|don't|dont|doesn't|without|avoid|stop)\b/u;

const SAME_GIST = 0.6;
const SHORTEST_STEM = 4;

export function gistOf(text: string): Gist {
  const plain = text.toLowerCase().replaceAll("’", "'");
  const words = plain.match(/[\p{L}\p{N}']+/gu) ?? [];
  const carrying = words.filter((word) => !EMPTY_WORDS.has(word) && !NEGATIONS.test(word)).map(stem);
  return { words: new Set(carrying), negative: NEGATIONS.test(plain) };
}

export function isSameGist(one: Gist, other: Gist): boolean {
  return one.negative === other.negative && overlap(one, other) >= SAME_GIST;
}

/** About the same thing, and the opposite of it. */
export function isOpposite(one: Gist, other: Gist): boolean {
  return one.negative !== other.negative && overlap(one, other) >= SAME_GIST;
}

function overlap({ words: one }: Gist, { words: other }: Gist): number {
  const all = one.union(other).size;
  return all === 0 ? 0 : one.intersection(other).size / all;
}

/** Good enough to see "tests" in "testing": endings are cut, nothing is looked up. */
function stem(word: string): string {
  const cut = word.replace(/(?:'s|ings?|ies|ed|es|s)$/u, "");
  return cut.length >= SHORTEST_STEM ? cut : word;
}
