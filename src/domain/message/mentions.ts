import { EVERYONE, MAX_NAME_LENGTH, isReservedName, nameKey } from "../names.ts";
import { findFences } from "./fences.ts";

/**
 * Who a text calls by `@name`. Found once, when a message is accepted; nothing else in the product reads mentions out of
 * text. A mention in vain costs a run and a missed one stalls a team, so the rules follow what a reader sees:
 *
 * - The `@` stands at a word boundary: no letter, digit, mark, connector such as `_`, or other `@` before it.
 *   `a@b.c`, `foo@bar` and `@@alice` mention nobody.
 * - The name is the longest run the grammar allows, and no word character or `@` follows it: `@aliceé` and
 *   `@alice@host` mention nobody. Punctuation may follow (`@alice,` `@alice's`), but a dot with a word character right
 *   after it makes a host or a dotted handle: `@alice.smith` mentions nobody.
 * - `\@alice` is text. So is everything in a code span or a fenced block. A span ends within its paragraph: one stray
 *   backtick does not silence the rest of the message.
 * - Inert ranges are data put into a template: they mention nobody, and their backticks and fences mean nothing to the
 *   text around them. Data cannot complete a name either: `@${{ who }}` mentions nobody.
 *
 * The work is linear in the text, whatever it holds.
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

/** Candidates in order of first occurrence, each name once; whether they exist is for `resolveMentions` to say. */
export function findMentions(text: string, options: { readonly inert?: readonly TextRange[] } = {}): Mention[] {
  if (!text.includes("@")) return [];
  const found = new Map<string, number>();
  const prose = mask(text, options.inert ?? []);
  let from = 0;
  for (const fence of findFences(prose)) {
    readProse(prose.slice(from, fence.start), from, found);
    from = fence.end;
  }
  readProse(prose.slice(from), from, found);
  return [...found].map(([name, start]) => ({ name, start }));
}

export interface MentionScope {
  readonly sender: string;
  isParticipant(name: string): boolean;
  /** In order of joining. Asked only for `@all`. */
  participants(): readonly string[];
}

/**
 * `mentioned` keeps the order of first occurrence, with `@all` in its place. Names match exactly; one that differs in
 * case only is `unknown`, for the warning to point out. Trailing `_` and `-` may be emphasis or a dash (`_thanks
 * @alice_`): they are dropped when the name as written does not exist. The sender and reserved names are neither.
 */
export function resolveMentions(
  candidates: readonly Mention[],
  scope: MentionScope,
): { mentioned: string[]; unknown: string[] } {
  const mentioned = new Set<string>();
  const unknown = new Set<string>();
  const isKnown = (name: string): boolean => scope.isParticipant(name) || name === scope.sender;
  for (const { name } of candidates) {
    const called = isKnown(name) ? name : name.replace(/[_-]+$/, "");
    if (isKnown(called)) mentioned.add(called);
    else if (nameKey(called) === EVERYONE) for (const each of scope.participants()) mentioned.add(each);
    else if (!isReservedName(called)) unknown.add(name);
  }
  mentioned.delete(scope.sender);
  return { mentioned: [...mentioned], unknown: [...unknown] };
}

/** Stands for one unit of inert text: neither blank nor a word, so it opens nothing and bounds a word. */
const INERT = "\uFFFC";

function mask(text: string, inert: readonly TextRange[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of inert.toSorted((a, b) => a.start - b.start)) {
    const first = Math.max(start, from);
    const last = Math.min(end, text.length);
    if (last <= first) continue;
    masked += text.slice(from, first) + INERT.repeat(last - first);
    from = last;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** A paragraph bounds code spans and nothing else: without a backtick the whole text is read as one. */
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
      const stands = name !== "" && name.length <= MAX_NAME_LENGTH && !AFTER_IS_WORD.test(text.slice(next, next + 3));
      if (stands && !found.has(name)) found.set(name, offset + at);
    }
    at = nextSignificant(text, next);
  }
}

/**
 * A span opened by n backticks ends at the next run of exactly n; without one, the backticks are text. Answers where to
 * go on after the backticks at `at`. Must be asked from left to right.
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

/** Where runs of backticks start, by their length. */
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
