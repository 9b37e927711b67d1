import { EVERYONE, MAX_NAME_LENGTH, isReservedName, nameKey } from "../names.ts";
import { findFences } from "./fences.ts";

/**
 * The agents that a text mentions by `@name`. They are found once, when a message is accepted; nothing else parses
 * mentions. A false mention costs a run and a missed one stalls a team, so the rules follow what a reader sees:
 *
 * - The `@` is at a word boundary: no letter, digit, mark, connector such as `_`, or other `@` is before it.
 *   `a@b.c`, `foo@bar` and `@@alice` mention no one.
 * - The name is as long as the grammar allows, and no word character or `@` follows it: `@aliceé` and `@alice@host`
 *   mention no one. Punctuation may follow (`@alice,` `@alice's`), but a dot followed by a word character makes a host
 *   name or a dotted handle: `@alice.smith` mentions no one.
 * - `\@alice` is text. So is everything in a code span or a fenced block. A span ends with its paragraph, so that one
 *   stray backtick does not disable the rest of the message.
 * - Inert ranges are data that was filled into a template: they mention no one, and their backticks and fences have no
 *   effect on the text around them. Data cannot complete a name: `@${{ who }}` mentions no one.
 *
 * The time is linear in the length of the text.
 */
export interface Mention {
  readonly name: string;
  /** Index of the `@` of the first occurrence. */
  readonly start: number;
}

export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Returns candidates in order of first occurrence, each name once. `resolveMentions` checks that they exist. */
export function findMentions(text: string, options: { readonly inert?: readonly TextRange[] } = {}): Mention[] {
  if (!text.includes("@")) return [];
  const found = new Map<string, number>();
  const { prose, indexIn } = mask(text, options.inert ?? []);
  let from = 0;
  for (const fence of findFences(prose)) {
    readProse(prose.slice(from, fence.start), from, found);
    from = fence.end;
  }
  readProse(prose.slice(from), from, found);
  return [...found].map(([name, start]) => ({ name, start: indexIn(start) }));
}

export interface MentionScope {
  readonly sender: string;
  isParticipant(name: string): boolean;
  /** In order of joining. Called only for `@all`. */
  participants(): readonly string[];
}

/**
 * `mentioned` has the order of first occurrence; `@all` is expanded at its position. Names match exactly; a name that
 * differs only in case is `unknown`, so that the sender is warned. Trailing `_` and `-` may be emphasis or a dash
 * (`_thanks @alice_`): they are removed when the name as written does not exist. The sender and reserved names are in
 * neither list.
 */
export function resolveMentions(
  candidates: readonly Mention[],
  scope: MentionScope,
): { mentioned: string[]; unknown: string[] } {
  const mentioned = new Set<string>();
  const unknown = new Set<string>();
  const exists = (name: string): boolean => scope.isParticipant(name) || name === scope.sender;
  for (const { name: written } of candidates) {
    const name = exists(written) ? written : written.replace(/[_-]+$/, "");
    if (exists(name)) mentioned.add(name);
    else if (nameKey(name) === EVERYONE) for (const each of scope.participants()) mentioned.add(each);
    else if (!isReservedName(name)) unknown.add(written);
  }
  mentioned.delete(scope.sender);
  return { mentioned: [...mentioned], unknown: [...unknown] };
}

/** Stands for an inert range. It is neither a space nor a word character, so it opens nothing and ends a word. */
const INERT = "\uFFFC";

/** Inert text may be megabytes long, so it is not read. `indexIn` returns the index in the text of one in the prose. */
function mask(text: string, inert: readonly TextRange[]) {
  const ranges: { readonly at: number; readonly left: number }[] = [];
  let prose = "";
  let from = 0;
  for (const { start, end } of inert.toSorted((a, b) => a.start - b.start)) {
    const first = Math.max(start, from);
    const last = Math.min(end, text.length);
    if (last <= first) continue;
    prose += text.slice(from, first);
    ranges.push({ at: prose.length, left: last - first - INERT.length });
    prose += INERT;
    from = last;
  }
  const indexIn = (index: number): number =>
    ranges.reduce((sum, { at, left }) => (at < index ? sum + left : sum), index);
  return { prose: prose + text.slice(from), indexIn };
}

/** Paragraphs matter only for code spans: without a backtick the whole text is read at once. */
function readProse(text: string, offset: number, found: Map<string, number>): void {
  let from = 0;
  if (!text.includes("`")) return readParagraph(text, offset, found);
  for (const blank of text.matchAll(/\n[^\S\n]*(?=\n)/g)) {
    readParagraph(text.slice(from, blank.index), offset + from, found);
    from = blank.index;
  }
  readParagraph(text.slice(from), offset + from, found);
}

const SIGNIFICANT = /[\\`@]/g;
const NAME = /[a-zA-Z][a-zA-Z0-9_-]*/y;
const ESCAPED = /\\[!-/:-@[-`{-~]/y;
const BACKTICKS = /`+/y;
const BEFORE_IS_WORD = /[\p{L}\p{M}\p{N}\p{Pc}@]$/u;
const AFTER_IS_WORD = /^(?:[\p{L}\p{M}\p{N}\p{Pc}@\uFFFC]|\.[\p{L}\p{M}\p{N}\p{Pc}])/u;

function readParagraph(text: string, offset: number, found: Map<string, number>): void {
  const skipSpan = spanSkipper(text);
  let at = nextSignificant(text, 0);
  while (at !== -1) {
    let next = at + 1;
    if (text[at] === "`") next = skipSpan(at);
    else if (text[at] === "\\") next = at + Math.max(1, lengthOf(ESCAPED, text, at));
    else if (!BEFORE_IS_WORD.test(text.slice(Math.max(0, at - 2), at))) {
      const name = text.slice(next, next + lengthOf(NAME, text, next));
      next += name.length;
      const isName = name !== "" && name.length <= MAX_NAME_LENGTH && !AFTER_IS_WORD.test(text.slice(next, next + 3));
      if (isName && !found.has(name)) found.set(name, offset + at);
    }
    at = nextSignificant(text, next);
  }
}

/**
 * A span opened by n backticks ends at the next run of exactly n backticks; without one, the backticks are text. The
 * returned function returns where to continue after the backticks at `at`. It must be called from left to right.
 */
function spanSkipper(text: string): (at: number) => number {
  let runs: ReadonlyMap<number, readonly number[]> | undefined;
  const passed = new Map<number, number>();
  return (at) => {
    runs ??= backtickRuns(text);
    const length = lengthOf(BACKTICKS, text, at);
    const starts = runs.get(length) ?? [];
    let index = passed.get(length) ?? 0;
    while (index < starts.length && (starts[index] ?? 0) <= at) index += 1;
    passed.set(length, index);
    return (starts[index] ?? at) + length;
  };
}

/** Returns the start of each run of backticks, by its length. */
function backtickRuns(text: string): ReadonlyMap<number, readonly number[]> {
  const runs = new Map<number, number[]>();
  for (const run of text.matchAll(/`+/g)) {
    const starts = runs.get(run[0].length);
    if (starts === undefined) runs.set(run[0].length, [run.index]);
    else starts.push(run.index);
  }
  return runs;
}

function nextSignificant(text: string, from: number): number {
  SIGNIFICANT.lastIndex = from;
  return SIGNIFICANT.exec(text)?.index ?? -1;
}

function lengthOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
