/**
 * Returns how much a sentence says to somebody who was not there, from its words alone: decisions, results, things to do,
 * names, numbers and links count, chatter does not. The same sentence always has the same value.
 */
export function informative(sentence: string): number {
  const words = sentence.match(WORD) ?? [];
  const numbers = words.filter((word) => /^\p{N}/u.test(word)).length;
  const hasLink = /https?:\/\//i.test(sentence);
  if (words.length < FEWEST_WORDS && numbers === 0 && !hasLink && !sentence.includes("`")) return 0;
  let value = Math.min(words.length, ENOUGH_WORDS) / ENOUGH_WORDS;
  const kinds = new Set<number>();
  let names = 0;
  for (const [at, word] of words.entries()) {
    const kind = SIGNS.get(word.toLowerCase());
    if (kind !== undefined) kinds.add(kind);
    if (at > 0 && /^\p{Lu}/u.test(word)) names += 1;
  }
  for (const weight of kinds) value += weight;
  if (hasLink) value += 1;
  if (sentence.endsWith("?")) value += 0.3;
  if (GREETINGS.has((words[0] ?? "").toLowerCase()) && words.length < GREETING_WORDS) value -= 3;
  return value + (Math.min(names, 3) + Math.min(numbers, 3)) * 0.4;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu;
const FEWEST_WORDS = 4;
const ENOUGH_WORDS = 12;
const GREETING_WORDS = 8;

/** What people write when something is decided, done, wrong, due or asked, with its weight. */
const SIGNS: ReadonlyMap<string, number> = new Map(
  (
    [
      [
        2,
        `decide decided decides decision decisions agree agreed agrees approve approved reject rejected choose chose chosen
        settle settled resolve resolved instead entschieden beschlossen vereinbart décidé convenu decidido acordado deciso`,
      ],
      [
        1.2,
        `done finished fixed merged released deployed shipped passed failed fails broke broken result results found cause
        caused because error crashed works`,
      ],
      [1, "must never always deadline due until before blocked blocker todo need needs owner responsible please will"],
      [0.7, "prefer prefers means called named cost costs price budget version limit date address"],
    ] as const
  ).flatMap(([weight, words]) => words.split(/\s+/).map((word) => [word, weight] as const)),
);

const GREETINGS: ReadonlySet<string> = new Set(
  "hi hello hey thanks thank ok okay sure great nice good bye lol haha yes".split(" "),
);
