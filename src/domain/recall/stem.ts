/**
 * Returns one term for all forms of an English word: "deployed", "deploys" and "deployment". The term need not be a word.
 * Words of other languages stay nearly unchanged.
 */
export function stem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return withoutEnd(derived(inflected(singular(word))));
}

function singular(word: string): string {
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(ss|x|ch|sh|zz)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) && !word.endsWith("is") ? word.slice(0, -1) : word;
}

function inflected(word: string): string {
  const base = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1];
  return base === undefined || base.length < 3 ? word : base;
}

/** From the longest ending to the shortest. Only one is removed: the first after which enough of the word remains. */
const DERIVED: readonly (readonly [RegExp, string])[] = [
  [/isation$|ization$/, "iz"],
  [/ification$/, "ify"],
  [/[iu]?bility$/, "bl"],
  [/iveness$|fulness$|ousness$/, ""],
  [/ation$|ition$/, ""],
  [/(?<=[aeiou]|en|er|ul)sion$/, "d"],
  [/ment$|ness$|ance$|ence$|able$|ible$/, ""],
  [/ate$|ator$|at$/, ""],
  [/ion$|ical$|ic$/, ""],
  [/(?<=[a-z]{3})ly$|(?<=[a-z]{3})er$|(?<=[a-z]{3})or$/, ""],
];
const MIN_STEM_LENGTH = 3;

function derived(word: string): string {
  for (const [ending, instead] of DERIVED) {
    const start = word.search(ending);
    if (start >= MIN_STEM_LENGTH) return word.slice(0, start) + instead;
  }
  return word;
}

function withoutEnd(word: string): string {
  if (word.length < 4) return word;
  if (/e$|([a-z])\1$/.test(word)) return word.slice(0, -1);
  return word.endsWith("y") ? word.slice(0, -1) : word;
}

const FORMS = `
  begin began begun, break broke broken, bring brought, build built, buy bought, catch caught, choose chose chosen,
  come came, draw drew drawn, drive drove driven, eat ate eaten, fall fell fallen, feel felt, fight fought, find found,
  fly flew flown, forget forgot forgotten, give gave given, go goes went gone, grow grew grown, hear heard, hide hid hidden,
  hold held, keep kept, know knew known, lead led, learn learnt, leave left, lend lent, lose lost, make made,
  mean meant, meet met, pay paid, ride rode ridden, rise rose risen, run ran, say said, see saw seen, sell sold,
  send sent, show shown, sing sang sung, sit sat, sleep slept, speak spoke spoken, spend spent, stand stood,
  steal stole stolen, swim swam swum, take took taken, teach taught, tell told, think thought, throw threw thrown,
  understand understood, wake woke woken, wear wore worn, win won, write wrote written,
  child children, foot feet, man men, mouse mice, person people, tooth teeth, woman women`;

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.split(",").flatMap((line) => {
    const [base = "", ...forms] = line.trim().split(/\s+/);
    return forms.map((form) => [form, stemRegular(base)] as const);
  }),
);

/** As `stem`, for words that are no irregular form. */
function stemRegular(word: string): string {
  return word.length < 4 ? word : withoutEnd(derived(inflected(singular(word))));
}
