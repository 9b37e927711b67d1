import { stem } from "./stem.ts";

/**
 * Whether two texts say different things about the same: all of their words are the same, except for numbers, days, months
 * and negations. It finds few contradictions, and hardly any that is none.
 */
export function contradicts(a: readonly string[], b: readonly string[]): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  const shared = [...left].filter((term) => right.has(term));
  const onlyLeft = [...left].filter((term) => !right.has(term));
  const onlyRight = [...right].filter((term) => !left.has(term));
  if (shared.length < FEWEST_SHARED || shared.every(isValue)) return false;
  if (onlyLeft.length + onlyRight.length === 0) return false;
  if (![...onlyLeft, ...onlyRight].every(isValue)) return false;
  const isNegated = [...onlyLeft, ...onlyRight].every((term) => NEGATIONS.has(term));
  return isNegated || (onlyLeft.length > 0 && onlyRight.length > 0);
}

/** What a text is about: its words without what can contradict. Texts that contradict each other have the same. */
export function subjectOf(terms: readonly string[]): string {
  return [...new Set(terms)]
    .filter((term) => !isValue(term))
    .toSorted()
    .join(" ");
}

const FEWEST_SHARED = 2;

function isValue(term: string): boolean {
  return /\p{N}/u.test(term) || VALUES.has(term) || NEGATIONS.has(term);
}

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never none dont doesnt isnt arent cannot cant wont shouldnt mustnt without".split(" "),
);

const VALUES: ReadonlySet<string> = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december mondays tuesdays wednesdays thursdays fridays saturdays sundays weekly daily monthly yearly
  enabled disabled on off true false yes morning noon afternoon evening night spring summer autumn winter one two three
  four five six seven eight nine ten eleven twelve am pm`
    .split(/\s+/)
    .map(stem),
);
