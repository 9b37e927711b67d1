import { ALNUM, BLOCK, codeAt, hasAt, isIn, PART, withoutPauses } from "./character-set.ts";
import { REDACTED } from "./redact-shapes.ts";

/** Secrets whose value is known: tokens, and the keys of the environment. */
export interface KnownSecrets {
  add(secret: string): void;
  redact(text: string): string;
  /** The same, with a pause after each part of the text. */
  redactInParts(text: string): Generator<undefined, string>;
}

const SHORTEST = 6;
/** A shorter one is redacted only where no letter or digit stands beside it: it may be a part of ordinary words. */
const LONG_ENOUGH_INSIDE_WORDS = 8;

/** Every place of a text is compared with the first two characters of all secrets at once, and rarely with a secret. */
export function createKnownSecrets(): KnownSecrets {
  const byBeginning = new Map<number, readonly string[]>();
  /** 1 for the beginnings of all secrets. */
  const beginnings = new Uint8Array(BEGINNINGS);

  const addSpelling = (spelling: string): void => {
    const beginning = beginningOf(spelling.charCodeAt(0), spelling.charCodeAt(1));
    const others = byBeginning.get(beginning) ?? [];
    if (others.includes(spelling)) return;
    // The longest first, because a secret may be the beginning of another one.
    const secrets = [...others, spelling].toSorted((a, b) => b.length - a.length);
    byBeginning.set(beginning, secrets);
    beginnings[beginning] = 1;
  };

  function* redactInParts(text: string): Generator<undefined, string> {
    if (byBeginning.size === 0) return text;
    let result = "";
    let done = 0;
    let pauseAt = PART;
    for (let at = 0; at < text.length;) {
      if (at >= pauseAt) {
        pauseAt = at + PART;
        yield;
      }
      const limit = Math.min(at + BLOCK, text.length);
      const place = nextIn(beginnings, text, at, limit);
      at = place === limit ? limit : place + 1;
      if (place === limit) continue;
      const beginning = beginningOf(text.charCodeAt(place), codeAt(text, place + 1));
      const candidates = byBeginning.get(beginning);
      const found = candidates?.find((secret) => hasAt(text, place, secret) && standsAlone(text, place, secret.length));
      if (found === undefined) continue;
      result += text.slice(done, place) + REDACTED;
      done = place + found.length;
      at = done;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  return {
    redactInParts,
    redact: (text) => withoutPauses(redactInParts(text)),
    add(secret) {
      for (const spelling of spellingsOf(secret.trim())) if (!REDACTED.includes(spelling)) addSpelling(spelling);
    },
  };
}

/** Returns the next place where a secret may begin, or `limit`. */
function nextIn(beginnings: Uint8Array, text: string, from: number, limit: number): number {
  let code = text.charCodeAt(from);
  for (let at = from; at < limit; at += 1) {
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    if (beginnings[beginningOf(code, next)] === 1) return at;
    code = next;
  }
  return limit;
}

const BEGINNINGS = 0x4000;

function beginningOf(first: number, second: number): number {
  return (first ^ (second << 7)) & (BEGINNINGS - 1);
}

function standsAlone(text: string, at: number, length: number): boolean {
  if (length >= LONG_ENOUGH_INSIDE_WORDS) return true;
  return !isIn(ALNUM, codeAt(text, at - 1)) && !isIn(ALNUM, codeAt(text, at + length));
}

/** Returns a secret as it may appear: plain, inside JSON, inside a URL, and as base64. */
function spellingsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return [];
  const base64 = Buffer.from(secret, "utf8").toString("base64");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed()), base64];
}
