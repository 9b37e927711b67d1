import { REDACTED, redactShapes, SECRET_FIELD, VARIABLE_REFERENCE } from "./secret-shapes.ts";

/**
 * Removes secrets from what is about to be written to the channel, the log, an error or a file: values it was given
 * (tokens, keys of the environment), and whatever has the shape of a well-known credential. It works on complete texts: a
 * secret that a stream splits in two is found only in the joined text.
 */
export interface Redactor {
  /** Removes this value from now on. Values under 8 characters are ignored: they are common in ordinary text. */
  add(secret: string): void;
  redact(text: string): string;
  /** Returns a copy of the data with every text redacted, and the whole value of fields whose name says secret. */
  redactValue(value: unknown): unknown;
}

const SHORTEST_SECRET = 8;
/** Long texts without a secret are cached: a transcript is redacted after every step, and only grows. */
const LONG = 1_000;
const MOST_CACHED_CHARS = 4_000_000;
const DEEPEST = 64;

export function createRedactor({ secrets = [] }: { readonly secrets?: Iterable<string> } = {}): Redactor {
  const known = new Set<string>();
  let knownPattern: RegExp | null = null;
  const clean = new Set<string>();
  let remembered = 0;

  const remember = (text: string): void => {
    if (text.length > MOST_CACHED_CHARS / 10) return;
    if (remembered + text.length > MOST_CACHED_CHARS) forget();
    clean.add(text);
    remembered += text.length;
  };
  const forget = (): void => {
    clean.clear();
    remembered = 0;
  };

  const add = (secret: string): void => {
    for (const spelling of spellings(secret.trim())) {
      if (spelling.length >= SHORTEST_SECRET && !REDACTED.includes(spelling)) known.add(spelling);
    }
    knownPattern = null;
    forget();
  };

  const redact = (text: string): string => {
    if (text.length >= LONG && clean.has(text)) return text;
    if (knownPattern === null && known.size > 0) knownPattern = patternOf(known);
    const redacted = redactShapes(knownPattern === null ? text : text.replace(knownPattern, REDACTED));
    if (text.length >= LONG && redacted === text) remember(text);
    return redacted;
  };

  for (const secret of secrets) add(secret);
  return { add, redact, redactValue: (value) => redactTree(value, redact) };
}

/** Returns a secret as it may appear: plain, inside JSON, inside a URL, and as base64. */
function spellings(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const base64 = Buffer.from(secret, "utf8").toString("base64");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed()), base64];
}

/** The longest first: a secret may be the beginning of another one. */
function patternOf(known: ReadonlySet<string>): RegExp {
  const longestFirst = [...known].toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
}

function redactTree(root: unknown, redact: (text: string) => string): unknown {
  const underway = new Set<object>();
  // Cached separately inside and outside of secret fields: the same object may occur in both.
  const done = { secret: new Map<object, unknown>(), open: new Map<object, unknown>() };

  const walk = (value: unknown, secret: boolean, depth: number): unknown => {
    if (typeof value === "string")
      return secret && value !== "" && !VARIABLE_REFERENCE.test(value) ? REDACTED : redact(value);
    if (typeof value === "number" || typeof value === "bigint") return secret ? REDACTED : value;
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (underway.has(value)) return "[circular]";
    if (depth > DEEPEST) return "[too deep]";
    const seen = secret ? done.secret : done.open;
    if (seen.has(value)) return seen.get(value);
    underway.add(value);
    const copy = copyOf(value, secret, depth + 1);
    underway.delete(value);
    seen.set(value, copy);
    return copy;
  };

  const copyOf = (value: object, secret: boolean, depth: number): unknown => {
    if (Array.isArray(value) || value instanceof Set) return Array.from(value, (item) => walk(item, secret, depth));
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof URL) return redact(value.href);
    const own =
      value instanceof Map ? [...value].map(([key, inner]) => [String(key), inner] as const) : fieldsOf(value);
    return Object.fromEntries(
      own.map(([key, inner]) => [redact(key), walk(inner, secret || SECRET_FIELD.test(key), depth)]),
    );
  };

  return walk(root, false, 0);
}

/** Includes the fields of an error, which are not enumerable. A field that cannot be read does not hide the others. */
function fieldsOf(value: object): (readonly [string, unknown])[] {
  const hidden = value instanceof Error ? ["name", "message", "stack", "cause"].filter((key) => key in value) : [];
  return [...new Set([...hidden, ...Object.keys(value)])].map((key) => {
    try {
      return [key, Reflect.get(value, key)] as const;
    } catch {
      return [key, "[unreadable]"] as const;
    }
  });
}
