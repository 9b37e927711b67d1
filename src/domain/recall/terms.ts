import { stem } from "./stem.ts";

/**
 * Returns the search terms of a text: its words without case, accents, endings and stop words, in their order. Scripts
 * without spaces give pairs of characters. Texts and queries must both be read by this function.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of wordsOf(text)) if (!STOP_WORDS.has(word)) terms.push(stem(word));
  return terms;
}

/** Whether a word of `wordsOf` does not distinguish texts. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Returns all words, stop words included. A very long word is cut. */
export function wordsOf(text: string): string[] {
  const plain = text
    .slice(0, MAX_CHARS)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "'");
  const words: string[] = [];
  for (const [run] of plain.matchAll(WORD)) {
    if (UNSPACED.test(run)) words.push(...inPairs(run));
    else words.push(run.replace(/'(s|re|ve|ll|d|m)$|'/g, "").slice(0, MAX_WORD_LENGTH));
  }
  return words.filter((word) => word !== "");
}

const MAX_CHARS = 64 * 1024;
const MAX_WORD_LENGTH = 64;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])[\p{L}\p{N}'])+/gu;

function inPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Words that do not distinguish texts. Negations are not among them. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by can could
  did do does doing done during each else etc ever every few for from further get gets getting got had has have having
  he her here hers herself him himself his how i id if ill im in into is it its itself ive just know let like lot lots
  many may maybe me might more most much must my myself now of off often oh ok okay on once one only onto or other our
  ours ourselves out over own please quite rather really s same shall she should so some something such than that thats
  the their theirs them themselves then there these they thing things this those though through thus to too under until
  up upon us use used using very was we well were what whats when where which while who whom whose why will with would
  yes yet you your yours yourself`.split(/\s+/),
);
