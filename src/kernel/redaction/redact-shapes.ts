import {
  ALNUM,
  BLOCK,
  charactersOf,
  codeAt,
  endOfRun,
  hasAt,
  isIn,
  PART,
  startOfRun,
  withoutPauses,
} from "./character-set.ts";
import { commandValue, VALUE_BEGINNINGS } from "./command-values.ts";
import { endOfKey, ISSUED_KEYS, keyAround, KEYS_AROUND, type Span, UNLIMITED } from "./issued-keys.ts";
import { looksRandom, mayEndName, namedValues, type NamedValues } from "./named-values.ts";
import { isNotASecret, isPlaceholder, isReference } from "./not-a-secret.ts";
import { privateKeyBlocks } from "./private-key-blocks.ts";

export const REDACTED = "[redacted]";

/**
 * Removes secrets whose value is unknown, by their shape. It leaves ordinary prose and code unchanged, gives the same
 * text when applied twice, and takes linear time for every text: it reads the text once, looks closer only where a secret
 * may begin, and never looks at the same characters again for the same rule.
 */
export function redactShapes(text: string): string {
  return withoutPauses(redactShapesInParts(text));
}

/** The same, with a pause after each part of the text, so that a long text does not keep others waiting. */
export function* redactShapesInParts(text: string): Generator<undefined, string> {
  // What was removed may have hidden the beginning of another secret.
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const after = yield* redactOnce(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

const MAX_ROUNDS = 3;

function* redactOnce(text: string): Generator<undefined, string> {
  let reading: Reading | undefined;
  let result = "";
  let done = 0;
  let pauseAt = PART;
  for (let at = 0; at < text.length;) {
    if (at >= pauseAt) {
      pauseAt = at + PART;
      yield;
    }
    const limit = Math.min(at + BLOCK, text.length);
    const beginning = nextBeginning(text, at, limit);
    const span = beginning === limit ? undefined : secretAt((reading ??= beginReading(text)), beginning);
    if (span === undefined || span.end <= done) {
      at = beginning === limit ? limit : beginning + 1;
      continue;
    }
    if (span.end - span.start === REDACTED.length && hasAt(text, span.start, REDACTED)) {
      at = span.end;
      continue;
    }
    result += text.slice(done, Math.max(done, span.start)) + REDACTED;
    done = span.end;
    at = done;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** Returns the next place where a secret may begin, or `limit`. Almost all of the time is spent here. */
function nextBeginning(text: string, from: number, limit: number): number {
  let code = text.charCodeAt(from);
  for (let at = from; at < limit; at += 1) {
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    if (code < 128 && BEGINNINGS[code] === 1) {
      const looked = next < 128 ? PAIRS[code * 128 + next] : 0;
      if (looked !== 0 && (looked !== ISSUED || isBoundary(text, at))) return at;
      if ((code === EQUALS || code === COLON) && at > 0 && mayEndName(text.charCodeAt(at - 1))) return at;
    }
    code = next;
  }
  return limit;
}

/** What is known about a text while it is read from its beginning to its end. */
interface Reading {
  readonly text: string;
  readonly namedValue: NamedValues;
  readonly endOfBlock: (at: number) => number;
  /** How far a run is known to contain no key, by the number of the key. */
  readonly known: Uint32Array;
}

function beginReading(text: string): Reading {
  const known = new Uint32Array(ISSUED_KEYS.length);
  return { text, namedValue: namedValues(text), endOfBlock: privateKeyBlocks(text), known };
}

/** Returns the secret that the characters at this place give away. */
function secretAt(reading: Reading, at: number): Span | undefined {
  const { text } = reading;
  const code = text.charCodeAt(at);
  const next = codeAt(text, at + 1);
  if ((code === EQUALS || code === COLON) && mayEndName(codeAt(text, at - 1))) {
    const named = reading.namedValue(at);
    if (named !== undefined) return named;
  }
  const pair = code * 128 + next;
  const looked = next < 128 ? (PAIRS[pair] ?? 0) : 0;
  if ((looked & ISSUED) !== 0) {
    const key = issuedKeyAt(reading, pair, at);
    if (key !== undefined) return key;
  }
  if ((looked & OTHER) === 0) return undefined;
  if (code === COLON && next === SLASH) return userInAddress(text, at);
  if (code === DASH && next === LETTER_B) {
    const start = at + 1 - DASHES.length;
    const end = start >= 0 && hasAt(text, start, DASHES) ? reading.endOfBlock(start) : -1;
    return end < 0 ? undefined : { start, end };
  }
  return aroundKey(text, at) ?? ((code | LOWER_CASE) === SMALL_B ? valueOfScheme(text, at) : commandValue(text, at));
}

function issuedKeyAt({ text, known }: Reading, pair: number, at: number): Span | undefined {
  const candidates = KEYS_BY_PAIR[pair];
  if (candidates === undefined || !isBoundary(text, at)) return undefined;
  for (const number of candidates) {
    const key = ISSUED_KEYS[number];
    if (key === undefined || at < (known[number] ?? 0) || !hasAt(text, at, key.prefix)) continue;
    const from = at + key.prefix.length;
    const end = endOfKey(key, text, from);
    if (end >= 0) {
      const body = text.slice(from, Math.min(end, from + LOOKED_AT));
      if (!isPlaceholder(body) && (!key.digit || /\d/.test(body))) return { start: key.prefixStays ? from : at, end };
    }
    const [first] = key.parts;
    if (typeof first === "object" && first.most === UNLIMITED) known[number] = endOfRun(text, from, first.of);
  }
  return undefined;
}

const LOOKED_AT = 200;
const [EQUALS, COLON, DASH, SLASH, LETTER_B, SMALL_B] = [0x3d, 0x3a, 0x2d, 0x2f, 0x42, 0x62];
const DASHES = "-----";

/** The numbers of the keys, by the first two characters of their prefix. */
const KEYS_BY_PAIR = Array.from({ length: 128 * 128 }, (): number[] | undefined => undefined);
/** What begins with two characters, except for the separators of names and values. */
const PAIRS = new Uint8Array(128 * 128);
const [ISSUED, OTHER] = [1, 2];
/** 1 for the first of them, and for the separators. */
const BEGINNINGS = new Uint8Array(128);

for (const [number, { prefix }] of ISSUED_KEYS.entries()) {
  (KEYS_BY_PAIR[pairOf(prefix)] ??= []).push(number);
  lookFor(prefix, ISSUED);
}
for (const { inside } of KEYS_AROUND) lookFor(inside, OTHER);
for (const other of VALUE_BEGINNINGS) lookFor(other, OTHER);
for (const other of ["://", "-BEGIN", "be", "bE", "Be", "BE", "ba", "bA", "Ba", "BA"]) lookFor(other, OTHER);
BEGINNINGS[EQUALS] = 1;
BEGINNINGS[COLON] = 1;

function lookFor(beginning: string, kind: number): void {
  PAIRS[pairOf(beginning)] = (PAIRS[pairOf(beginning)] ?? 0) | kind;
  BEGINNINGS[beginning.charCodeAt(0)] = 1;
}

function pairOf(beginning: string): number {
  return beginning.charCodeAt(0) * 128 + beginning.charCodeAt(1);
}

const HEX = charactersOf("A-Fa-f0-9");

/** No letter or digit stands before, unless it is part of an escape: `\n` in JSON, `%3D` in an address. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || !isIn(ALNUM, text.charCodeAt(at - 1))) return true;
  if (text[at - 2] === "\\") return "nrt".includes(text.charAt(at - 1));
  return text[at - 3] === "%" && endOfRun(text, at - 2, HEX, 2) === at;
}

function aroundKey(text: string, at: number): Span | undefined {
  for (const key of KEYS_AROUND) {
    const span = hasAt(text, at, key.inside) ? keyAround(key, text, at) : undefined;
    if (span !== undefined && isBoundary(text, span.start)) return span;
  }
  return undefined;
}

const AUTHORITY = charactersOf("^\\s/?#\"'<>");
const NO_AT_SIGN = charactersOf("^@");
const NO_COLON = charactersOf("^:");
const LONGEST_USER = 256;
const SHORTEST_TOKEN = 16;

/** `scheme://user:password@host` keeps the user; `scheme://token@host` keeps nothing. */
function userInAddress(text: string, at: number): Span | undefined {
  if (!isIn(ALNUM, codeAt(text, at - 1))) return undefined;
  const start = at + "://".length;
  const end = endOfRun(text, start, AUTHORITY);
  const host = startOfRun(text, end, NO_AT_SIGN, end - start) - 1;
  if (host < start) return undefined;
  const colon = endOfRun(text, start, NO_COLON, host - start);
  if (colon === host) {
    const token = text.slice(start, text.indexOf("@", start));
    const random = token.length >= SHORTEST_TOKEN && token.length <= LONGEST_USER && /\d/.test(token);
    return random && !/[[\]]/.test(token) && !isNotASecret(token) ? { start, end: start + token.length } : undefined;
  }
  const password = colon + 1;
  if (password === host || colon - start > LONGEST_USER || isReference(text.slice(password, host))) return undefined;
  return { start: password, end: host };
}

const SCHEME = /(?:bearer|basic)\s{1,4}/iy;
const CREDENTIAL = charactersOf("\\w.~+/=-");
const SHORTEST_CREDENTIAL = 12;
const [LOWER_CASE, LETTER_A, LETTER_S, UNDERSCORE] = [0x20, 0x61, 0x73, 0x5f];

/** `Bearer ...` and `Basic ...` without the name of the header. */
function valueOfScheme(text: string, at: number): Span | undefined {
  const third = codeAt(text, at + 2) | LOWER_CASE;
  if ((third !== LETTER_A && third !== LETTER_S) || !isBoundary(text, at) || codeAt(text, at - 1) === UNDERSCORE)
    return undefined;
  SCHEME.lastIndex = at;
  if (!SCHEME.test(text)) return undefined;
  const start = SCHEME.lastIndex;
  const end = endOfRun(text, start, CREDENTIAL);
  const value = text.slice(start, Math.min(end, start + LOOKED_AT));
  return end - start >= SHORTEST_CREDENTIAL && looksRandom(value) && !isNotASecret(value) ? { start, end } : undefined;
}
