import { createKnownSecrets } from "./redaction/known-secrets.ts";
import { isSecretField } from "./redaction/named-values.ts";
import { isReference } from "./redaction/not-a-secret.ts";
import { REDACTED, redactShapes, redactShapesInParts } from "./redaction/redact-shapes.ts";

/**
 * Removes secrets from what is about to be written to the channel, the log, an error or a file: values it was given
 * (tokens, keys of the environment), and texts in the format of a well-known credential. It works on complete texts: a
 * secret that a stream splits in two is found only in the joined text.
 */
export interface Redactor {
  /** Removes this value from now on. Values under 6 characters are ignored: they are common in ordinary text. */
  add(secret: string): void;
  redact(text: string): string;
  /**
   * Redacts the long texts in the data, with pauses in which others go on. The results are found by the next calls of
   * `redact` for the same texts. Undefined when no text is long: there is nothing to wait for.
   */
  prepare(data: unknown): Promise<void> | undefined;
  /** Returns a copy of the data: every text is redacted, and so is the whole value of a field with a secret's name. */
  redactValue(value: unknown): unknown;
}

/** Long texts without a secret are cached: a transcript is redacted after every step, and only grows. */
const LONG = 500;
const MAX_CACHED_CHARS = 4_000_000;
const MAX_DEPTH = 64;
/** Longer texts are prepared with pauses. */
const NEEDS_PAUSES = 128 * 1024;
const MOST_PREPARED = 4;

export function createRedactor({ secrets = [] }: { readonly secrets?: Iterable<string> } = {}): Redactor {
  const known = createKnownSecrets();
  const clean = new Set<string>();
  let cachedChars = 0;
  const prepared = new Map<string, string>();

  const addToCache = (text: string): void => {
    if (text.length > MAX_CACHED_CHARS / 10) return;
    if (cachedChars + text.length > MAX_CACHED_CHARS) clearCache();
    clean.add(text);
    cachedChars += text.length;
  };
  const clearCache = (): void => {
    clean.clear();
    prepared.clear();
    cachedChars = 0;
  };

  const add = (secret: string): void => {
    known.add(secret);
    clearCache();
  };

  const prepareText = async (text: string): Promise<void> => {
    if (prepared.has(text) || clean.has(text)) return;
    const redacted = await withPauses(redactShapesInParts(await withPauses(known.redactInParts(text))));
    for (const oldest of prepared.keys()) if (prepared.size >= MOST_PREPARED) prepared.delete(oldest);
    prepared.set(text, redacted);
  };
  const prepare = (data: unknown): Promise<void> | undefined => {
    const long = longTextsIn(data);
    return long.length === 0
      ? undefined
      : (async () => {
          for (const text of long) await prepareText(text);
        })();
  };

  const redact = (text: string): string => {
    if (text.length >= LONG && clean.has(text)) return text;
    const ready = text.length >= NEEDS_PAUSES ? prepared.get(text) : undefined;
    if (ready !== undefined) return ready;
    const redacted = redactShapes(known.redact(text));
    if (text.length >= LONG && redacted === text) addToCache(text);
    return redacted;
  };

  for (const secret of secrets) add(secret);
  return { add, redact, prepare, redactValue: (value) => redactTree(value, redact) };
}

async function withPauses<T>(work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the texts that take long to redact. Input of operations is a tree of a few levels. */
function longTextsIn(data: unknown, depth = 0): readonly string[] {
  if (typeof data === "string") return data.length >= NEEDS_PAUSES ? [data] : [];
  if (typeof data !== "object" || data === null || depth > MAX_INPUT_DEPTH) return [];
  return Object.values(data).flatMap((value) => longTextsIn(value, depth + 1));
}

const MAX_INPUT_DEPTH = 6;

function redactTree(root: unknown, redact: (text: string) => string): unknown {
  const ancestors = new Set<object>();
  // Cached separately inside and outside of secret fields: the same object may occur in both.
  const done = { secret: new Map<object, unknown>(), open: new Map<object, unknown>() };

  const walk = (value: unknown, secret: boolean, depth: number): unknown => {
    if (typeof value === "string") return secret && value !== "" && !isReference(value) ? REDACTED : redact(value);
    if (typeof value === "number" || typeof value === "bigint") return secret ? REDACTED : value;
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (ancestors.has(value)) return "[circular]";
    if (depth > MAX_DEPTH) return "[too deep]";
    const seen = secret ? done.secret : done.open;
    if (seen.has(value)) return seen.get(value);
    ancestors.add(value);
    const copy = copyOf(value, secret, depth + 1);
    ancestors.delete(value);
    seen.set(value, copy);
    return copy;
  };

  const copyOf = (value: object, secret: boolean, depth: number): unknown => {
    if (Array.isArray(value) || value instanceof Set) return Array.from(value, (item) => walk(item, secret, depth));
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof URL) return redact(value.href);
    const fields =
      value instanceof Map ? [...value].map(([key, inner]) => [String(key), inner] as const) : fieldsOf(value);
    return Object.fromEntries(
      fields.map(([key, inner]) => [redact(key), walk(inner, secret || isSecretField(key), depth)]),
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
