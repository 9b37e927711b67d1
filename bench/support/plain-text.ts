import { seededRandom } from "../../src/kernel/random.ts";

/** Sentences whose words are as unevenly spread as in real text: a few are everywhere, most are nearly nowhere. */
export function plainText(seed: number): (words: number) => string {
  const random = seededRandom(seed);
  const syllables = ["ka", "lo", "mi", "ter", "van", "su", "pol", "ri", "dan", "es", "gu", "hem"];
  const word = (rank: number): string => {
    const common = COMMON[rank];
    if (common !== undefined) return common;
    let text = "";
    for (let left = rank; left > 0; left = Math.floor(left / syllables.length))
      text += syllables[left % syllables.length];
    return text;
  };
  return (words) =>
    Array.from({ length: words }, () => word(Math.floor(Math.exp(random() * Math.log(VOCABULARY))) - 1)).join(" ");
}

const VOCABULARY = 20_000;
const COMMON = "the of and to a in is it what that was for on who with did which how at about when team service".split(
  " ",
);
