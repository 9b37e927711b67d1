import { BLANK, charactersOf, codeAt, endOfRun, isIn, startOfRun, WORD } from "./character-set.ts";
import type { Span } from "./issued-keys.ts";
import { isNotASecret } from "./not-a-secret.ts";

/**
 * Values whose name says that they are secret: `password=...`, `"api_key": "..."`, `token: ...`, `Authorization: ...`.
 * They are found from the `=` or `:` between name and value. A value that is no secret is not looked at again in the same
 * form, so that `token=token=token=` takes no more time than any other text.
 */
export type NamedValues = (separator: number) => Span | undefined;

type Meaning = "password" | "token" | "authorization" | "cookie";

const VALUE = charactersOf("^\\s\"'`&,;()<>${}[\\]");
const VALUE_REST = charactersOf("^\\s\"'`&,;()<>{}[\\]");
const HEADER_VALUE = charactersOf("^\\s\"',;[\\]");
const PLAIN_VALUE = charactersOf("\\w.~+/=-");
const LINE = charactersOf("^\\r\\n");
const COOKIES = charactersOf("^\\r\\n\"'");
const NOT_BLANK = charactersOf("^\\s");
const LOOKED_AT = 200;

export function namedValues(text: string): NamedValues {
  /** How far the values of each form are known to be none. */
  const known = { json: 0, password: 0, token: 0, loose: 0, line: 0, header: 0, cookies: 0 };
  type Form = keyof typeof known;

  const unless = (harmless: boolean, form: Form, span: Span): Span | undefined => {
    if (!harmless) return span;
    known[form] = span.end;
    return undefined;
  };
  const valueOf = ({ start, end }: Span): string => text.slice(start, Math.min(end, start + LOOKED_AT));

  /** `"name": "value"`, also inside a JSON text. */
  const json = (start: number, escaped: boolean): Span | undefined => {
    const from = escaped ? start + 2 : start + 1;
    const quote = escaped ? text.slice(start, from) : text.charAt(start);
    if (start < known.json || !(escaped ? quote === '\\"' : quote === '"' || quote === "'")) return undefined;
    const span = { start: from, end: endOfQuoted(text, from, escaped ? "\\" : quote) };
    if (span.end === from) return undefined;
    const value = valueOf(span);
    return unless(isNotASecret(value.replace(SCHEME, "")), "json", span);
  };

  /** `password=value` and `password="two words"`: any value. */
  const password = (start: number): Span | undefined => {
    if (start < known.password) return undefined;
    const quote = text.charAt(start);
    if (quote === '"' || quote === "'") {
      const end = endOfQuoted(text, start + 1, quote);
      if (end > start + 1 && text[end] === quote) {
        const span = { start, end: end + 1 };
        return unless(isNotASecret(text.slice(start + 1, Math.min(end, start + LOOKED_AT))), "password", span);
      }
    }
    const end = endOfRun(text, start, VALUE);
    if (end === start) return undefined;
    const span = { start, end: endOfRun(text, end, VALUE_REST) };
    return unless(text[end] === "(" || isNotASecret(valueOf({ start, end })), "password", span);
  };

  /** `token=value`: only a value that looks random, because code often contains it. */
  const token = (from: number): Span | undefined => {
    const start = text[from] === '"' || text[from] === "'" ? from + 1 : from;
    if (start < known.token) return undefined;
    const span = { start, end: endOfRun(text, start, VALUE) };
    if (span.end - start < 8) return undefined;
    const value = valueOf(span);
    return unless(text[span.end] === "(" || !looksRandom(value) || isNotASecret(value), "token", span);
  };

  /** `name: value` alone on a line, as in YAML. */
  const line = (nameEnd: number, start: number, meaning: Meaning): Span | undefined => {
    if (start < known.line || !beginsLine(text, nameEnd)) return undefined;
    const quote = text.charAt(start);
    const quoted = quote === '"' || quote === "'";
    const first = quoted ? start + 1 : start;
    if (!quoted && "$[{|>&*".includes(quote)) return undefined;
    const end = quoted ? endOfQuoted(text, first, quote) : endOfRun(text, first, NOT_BLANK);
    if (end === first || (quoted && text[end] !== quote)) return undefined;
    const after = quoted ? end + 1 : end;
    const alone = endOfRun(text, endOfRun(text, after, BLANK), LINE, 1) === endOfRun(text, after, BLANK);
    const span = meaning === "password" ? { start, end: after } : { start: first, end };
    const value = valueOf({ start: first, end });
    const random = meaning === "password" || (end - first >= 8 && looksRandom(value) && !/\s/.test(value));
    return unless(!alone || !random || isNotASecret(value), "line", span);
  };

  /** `name = "value"` in code, and `name: value` in a header: only what can hardly be anything else. */
  const loose = (start: number, meaning: Meaning): Span | undefined => {
    if (start < known.loose) return undefined;
    const quote = text.charAt(start);
    const quoted = quote === '"' || quote === "'" || quote === "`";
    const first = quoted ? start + 1 : start;
    const end = quoted ? endOfQuoted(text, first, quote) : endOfRun(text, first, PLAIN_VALUE);
    const least = quoted ? (meaning === "password" ? 6 : 8) : 16;
    if (end - first < least || (quoted && text[end] !== quote)) return undefined;
    const span = { start: first, end };
    const value = valueOf(span);
    const random = /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
    const inCode = !quoted && (text[end] === "(" || text[end] === "[");
    return unless(!random || inCode || isNotASecret(value), "loose", span);
  };

  /** With a scheme any value, otherwise one that cannot be a word. */
  const header = (from: number): Span | undefined => {
    const start = text[from] === '"' || text[from] === "'" ? from + 1 : from;
    const scheme = SCHEME.exec(text.slice(start, start + 20))?.[0].length ?? 0;
    const first = start + scheme;
    if (first < known.header) return undefined;
    const span = { start: first, end: endOfRun(text, first, HEADER_VALUE) };
    if (span.end - first < (scheme > 0 ? 6 : 8)) return undefined;
    const value = valueOf(span);
    if (/^authorization/i.test(value)) return undefined;
    return unless((scheme === 0 && !/\d/.test(value)) || isNotASecret(value), "header", span);
  };

  /** `Cookie: a=1; session=...`: all of them, when one looks random. */
  const cookies = (from: number): Span | undefined => {
    const start = text[from] === '"' || text[from] === "'" ? from + 1 : from;
    if (start < known.cookies) return undefined;
    const span = { start, end: endOfRun(text, start, COOKIES) };
    const values = valueOf(span).split(/[;=]/);
    return unless(
      !values.some((each) => each.length >= 12 && looksRandom(each) && !isNotASecret(each)),
      "cookies",
      span,
    );
  };

  return (separator) => {
    let nameEnd = separator;
    let code = codeAt(text, nameEnd - 1);
    const assigns = text.charCodeAt(separator) === EQUALS;
    if (isIn(BLANK, code)) code = codeAt(text, (nameEnd = startOfRun(text, nameEnd, BLANK, 4)) - 1);
    const blankBefore = nameEnd !== separator;
    const quoted = code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
    const escaped = quoted && codeAt(text, nameEnd - 2) === BACKSLASH;
    if (quoted) nameEnd -= escaped ? 2 : 1;
    const meaning = meaningOf(text, nameEnd) ?? (assigns ? meaningOfAttribute(text, nameEnd) : undefined);
    if (meaning === undefined) return undefined;
    const after = codeAt(text, separator + 1);
    // `==` and `=~` compare; `:=` and `=>` belong to code.
    if (assigns && (after === EQUALS || after === TILDE)) return undefined;
    const from = after === EQUALS || after === GREATER ? separator + 2 : separator + 1;
    const start = endOfRun(text, from, BLANK, 8);
    if (meaning === "cookie") return assigns ? undefined : cookies(start);
    if (OWN_ID.test(text.slice(start, start + 40)) && !isSecretWord(text, nameEnd)) return undefined;
    if (quoted) return json(start, escaped) ?? (meaning === "authorization" ? header(start) : undefined);
    if (meaning === "authorization") return header(start);
    if (assigns && !blankBefore && start === separator + 1) {
      return meaning === "password" ? password(start) : token(start);
    }
    const alone = start > from && (assigns ? meaning === "password" && isSettingsValue(text, start) : true);
    return (alone ? line(nameEnd, start, meaning) : undefined) ?? loose(start, meaning);
  };
}

const SCHEME = /^(?:bearer|basic|token|digest|apikey|negotiate)[ \t]{1,4}/i;

/** `res_...`: the ids of agent-worker have 26 characters after a short prefix. */
const OWN_ID = /^["']?[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}(?![\w-])/;

/** Whether the name is `token` or `secret` itself, and no longer name that ends with it. */
function isSecretWord(text: string, nameEnd: number): boolean {
  const start = startOfRun(text, nameEnd, WORD, LONGEST_SECRET_WORD + 1);
  return nameEnd - start <= LONGEST_SECRET_WORD && SECRET_WORD.test(text.slice(start, nameEnd));
}

const SECRET_WORD = /^(?:password|passwd|pwd|passphrase|token|secret|credentials?|\w{3,10}[_-]?key|authorization)$/i;
const LONGEST_SECRET_WORD = 16;

/** `password = value` also stands in code, where the value is a name. */
function isSettingsValue(text: string, start: number): boolean {
  const value = text.slice(start, start + LOOKED_AT).split(/\s/, 1)[0] ?? "";
  return value.length >= 8 && /\d/.test(value) && !/[()[\]{}"'`;]/.test(value);
}

/** `<add key="ApiKey" value="...">`: the name is in the attribute before. */
function meaningOfAttribute(text: string, nameEnd: number): Meaning | undefined {
  if (!endsWith(text, nameEnd, "value")) return undefined;
  const end = startOfRun(text, nameEnd - "value".length, BLANK, 4) - 1;
  const code = codeAt(text, end);
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE ? meaningOf(text, end) : undefined;
}

/** Returns the place of the closing quote, or the end of the line. A backslash escapes the character after it. */
export function endOfQuoted(text: string, from: number, quote: string): number {
  const closing = quote.charCodeAt(0);
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === closing || code === LINE_FEED || code === CARRIAGE_RETURN) return at;
    if (closing === BACKSLASH && code === DOUBLE_QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Before the name there is nothing but the rest of its word, a dash and blanks. */
function beginsLine(text: string, nameEnd: number): boolean {
  const word = startOfRun(text, nameEnd, WORD, 100);
  const dash = text.slice(word - 2, word) === "- " ? word - 2 : word;
  const start = startOfRun(text, dash, BLANK, 80);
  return start === 0 || text[start - 1] === "\n" || text[start - 1] === "\r";
}

export function looksRandom(value: string): boolean {
  return /\d/.test(value) || (value.length >= 24 && !value.includes("."));
}

const NAME_ENDS = charactersOf("delnstyDELNSTY\"' \\t");

/** Rules out most of what stands before a `=` or `:`. */
export function mayEndName(code: number): boolean {
  return isIn(NAME_ENDS, code);
}

const KEY_KINDS = ["api", "access", "account", "private", "secret", "signing", "encryption", "master", "auth"];
/** By the code of their last letter, so that most names before `key` cost one comparison. */
const KEY_KINDS_BY_END = Array.from({ length: 128 }, (_, code) =>
  KEY_KINDS.filter((kind) => kind.charCodeAt(kind.length - 1) === code),
);

/** Returns what the name that ends here promises of its value. It compares backwards, and mostly one letter. */
export function meaningOf(text: string, end: number): Meaning | undefined {
  switch (codeAt(text, end - 1) | LOWER_CASE) {
    case 0x64: // d
      return endsWith(text, end, "password") || endsWith(text, end, "passwd") || endsWith(text, end, "pwd")
        ? "password"
        : undefined;
    case 0x65: // e
      if (endsWith(text, end, "cookie")) return "cookie";
      return endsWith(text, end, "passphrase") ? "password" : undefined;
    case 0x6e: // n
      if (endsWith(text, end, "token")) return "token";
      return endsWith(text, end, "authorization") ? "authorization" : undefined;
    case 0x74: // t
      return endsWith(text, end, "secret") ? "token" : undefined;
    case 0x6c: // l
      return endsWith(text, end, "credential") ? "token" : undefined;
    case 0x73: // s
      return endsWith(text, end, "credentials") ? "token" : undefined;
    case 0x79: {
      // y
      if (!endsWith(text, end, "key")) return undefined;
      if (text[end - 4] === "?" || text[end - 4] === "&") return "token";
      const before = text[end - 4] === "_" || text[end - 4] === "-" ? end - 4 : end - 3;
      for (const kind of KEY_KINDS_BY_END[codeAt(text, before - 1) | LOWER_CASE] ?? []) {
        if (endsWith(text, before, kind)) return "token";
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

const LOWER_CASE = 0x20;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const [EQUALS, GREATER, TILDE] = [0x3d, 0x3e, 0x7e];
const [DOUBLE_QUOTE, SINGLE_QUOTE, BACKSLASH] = [0x22, 0x27, 0x5c];

function endsWith(text: string, end: number, word: string): boolean {
  const start = end - word.length;
  if (start < 0) return false;
  for (let at = word.length - 1; at >= 0; at -= 1) {
    if ((text.charCodeAt(start + at) | LOWER_CASE) !== word.charCodeAt(at)) return false;
  }
  return true;
}

/** Names of fields that hold a secret: `api_key`, `accessToken`, `DB_PASSWORD`; not `tokens`, `pwd` or `api_key_env`. */
export function isSecretField(name: string): boolean {
  return meaningOf(name, name.length) !== undefined && !/pwd$/i.test(name);
}
