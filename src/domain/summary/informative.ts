/**
 * Returns how much a sentence says to somebody who was not there, from its words alone: decisions, results, things to do,
 * names, numbers and links count, chatter does not. The same sentence always has the same value.
 */
export function informative(sentence: string): number {
  const words = sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  if (words < FEWEST_WORDS && !FACT.test(sentence)) return 0;
  let value = Math.min(words, ENOUGH_WORDS) / ENOUGH_WORDS;
  for (const [sign, weight] of SIGNS) if (sign.test(sentence)) value += weight;
  value += Math.min(countOf(NAME, sentence), 3) * 0.4;
  value += Math.min(countOf(NUMBER, sentence), 3) * 0.4;
  return value;
}

const FEWEST_WORDS = 4;
const ENOUGH_WORDS = 12;

const NAME = /(?<=[\p{L}\p{N},;:]\s)\p{Lu}[\p{L}\p{N}_-]+|@[\p{L}\p{N}_-]+|`[^`]+`|[\w-]+[./][\w./-]+/gu;
const NUMBER = /(?<![\p{L}_])\p{N}[\p{N}.,:%-]*/gu;
const FACT = /\p{N}|https?:|`[^`]+`/u;

/** What people write when something is decided, done, wrong, due or asked. English and the commonest other languages. */
const SIGNS: readonly (readonly [RegExp, number])[] = [
  [/\b(decid\w+|decision|agreed?|approved?|rejected?|chos\w+|settled|resolved|we will|we'll|let's use|instead of)\b/iu, 2],
  [/\b(entschieden|beschlossen|einigten|décidé|convenu|decidido|acordado|deciso)\b|决定|決定|同意/iu, 2],
  [/\b(done|finished|fixed|merged|released|deployed|shipped|passed|failed|broke\w*|result\w*|found|cause\w*|because)\b/iu, 1.2],
  [/\b(must|never|always|deadline|due|until|before|blocked?|blocker|todo|needs?|owner|responsible)\b/iu, 1],
  [/\b(prefer\w*|means|is called|named|costs?|price|budget|version|limit)\b/iu, 0.7],
  [/https?:\/\/\S+/iu, 1],
  [/\?\s*$/u, 0.3],
  [/^(?:hi|hello|hey|thanks?|thank you|ok(?:ay)?|sure|great|nice|good morning|bye|lol|haha)\b[^.]{0,20}$/iu, -3],
];

function countOf(pattern: RegExp, sentence: string): number {
  return sentence.match(pattern)?.length ?? 0;
}
