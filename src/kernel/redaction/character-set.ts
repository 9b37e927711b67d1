/** A set of characters, as a table that is read once for each character of a text. */
export interface CharacterSet {
  /** 1 for the members below U+0080. */
  readonly ascii: Uint8Array;
  /** Whether every other character is a member too. */
  readonly others: boolean;
}

/** `members` is the inside of a class of a regular expression: `A-Za-z0-9_-`. */
export function charactersOf(members: string): CharacterSet {
  const pattern = new RegExp(`[${members}]`);
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
  return { ascii, others: pattern.test("\u{4e00}") };
}

export function isIn(set: CharacterSet, code: number): boolean {
  return code < 128 ? set.ascii[code] === 1 : set.others;
}

/** Returns 0 outside the text: `charCodeAt` then returns NaN, after which all code around it runs more slowly. */
export function codeAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : 0;
}

/** Returns the end of the longest run of members from here, at most `most` characters long. */
export function endOfRun(text: string, from: number, set: CharacterSet, most = text.length): number {
  const limit = most < text.length - from ? from + most : text.length;
  let at = from;
  while (at < limit && isIn(set, text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the beginning of the longest run of members that ends here. */
export function startOfRun(text: string, end: number, set: CharacterSet, most: number): number {
  const limit = most < end ? end - most : 0;
  let at = end;
  while (at > limit && isIn(set, text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** The same as `text.startsWith(part, at)`, and faster where it is asked at almost every place of a text. */
export function hasAt(text: string, at: number, part: string): boolean {
  if (at + part.length > text.length) return false;
  for (let index = 0; index < part.length; index += 1) {
    if (text.charCodeAt(at + index) !== part.charCodeAt(index)) return false;
  }
  return true;
}

export const ALNUM = charactersOf("A-Za-z0-9");
export const DIGIT = charactersOf("0-9");
export const WORD = charactersOf("\\w-");
export const BLANK = charactersOf(" \\t");

/** Long texts are searched in blocks of this size: V8 compiles a function better when it is called more than once. */
export const BLOCK = 4_096;

/** Long texts are read in parts of so many characters, with a pause after each. */
export const PART = 32 * 1024;

/** Does work that can pause without pausing. */
export function withoutPauses<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}
