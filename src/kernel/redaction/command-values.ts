import { BLANK, charactersOf, codeAt, endOfRun, hasAt, isIn, startOfRun, WORD } from "./character-set.ts";
import type { Span } from "./issued-keys.ts";
import { endOfQuoted, looksRandom, meaningOf } from "./named-values.ts";
import { isNotASecret } from "./not-a-secret.ts";

/**
 * Secrets without a `=` or `:` after their name: the options of commands, the lines of a `.netrc`, an element of XML, the
 * password of a role in SQL. No value contains what begins another one of the same form, and what is read before a place
 * has a limit, so that the time is linear.
 */
export const VALUE_BEGINNINGS = ["--", "-u", "-p", "</", "pa", "PA"];

const LONGEST_NAME = 40;
const LONGEST_ELEMENT = 200;
const LOOKED_AT = 200;
const LOOKED_BEFORE = 100;
const SHORTEST_TOKEN = 8;
const ARGUMENT = charactersOf("^\\s\"'`;|&<>()");
const ELEMENT_TEXT = charactersOf("^\\s<>");

export function commandValue(text: string, at: number): Span | undefined {
  const second = text.charAt(at + 1);
  switch (text.charAt(at)) {
    case "-":
      if (at > 0 && !isIn(BEFORE_OPTION, text.charCodeAt(at - 1))) return undefined;
      if (second === "u") return userOfCurl(text, at, at + 2);
      if (second === "p")
        return hasAt(text, at - SSHPASS.length, SSHPASS) ? argument(text, at + 2, "password") : undefined;
      return longOption(text, at);
    case "<":
      return element(text, at);
    default:
      return wordPassword(text, at);
  }
}

const BEFORE_OPTION = charactersOf("\\s\"'`(\\[,");
const SSHPASS = "sshpass ";
const LETTER = charactersOf("A-Za-z");

/** `--token VALUE`. With a `=` it is a named value. */
function longOption(text: string, at: number): Span | undefined {
  if (!isIn(LETTER, codeAt(text, at + 2))) return undefined;
  const end = endOfRun(text, at + 2, WORD, LONGEST_NAME);
  if (end === at + 6 && hasAt(text, at + 2, "user")) return userOfCurl(text, at, end);
  const meaning = meaningOf(text, end);
  return meaning === undefined ? undefined : argument(text, end, meaning === "password" ? "password" : "token");
}

/** The argument after an option that ends here. */
function argument(text: string, optionEnd: number, meaning: "password" | "token"): Span | undefined {
  const span = argumentSpan(text, optionEnd);
  if (span === undefined) return undefined;
  const value = text.slice(span.start, Math.min(span.end, span.start + LOOKED_AT));
  if (value.startsWith("-") || isNotASecret(value)) return undefined;
  const isSecret = meaning === "password" ? /[\d\W]/.test(value) : value.length >= SHORTEST_TOKEN && looksRandom(value);
  return isSecret ? span : undefined;
}

function argumentSpan(text: string, optionEnd: number): Span | undefined {
  const from = endOfRun(text, optionEnd, BLANK, 8);
  if (from === optionEnd) return undefined;
  const quote = text.charAt(from);
  const quoted = quote === '"' || quote === "'";
  const start = quoted ? from + 1 : from;
  const end = quoted ? endOfQuoted(text, start, quote) : endOfRun(text, start, ARGUMENT);
  return end === start ? undefined : { start, end };
}

/** `curl -u user:password` keeps the user. */
function userOfCurl(text: string, at: number, optionEnd: number): Span | undefined {
  const before = text.slice(Math.max(0, at - LOOKED_BEFORE), at);
  if (!/\bcurl\s/.test(before.slice(before.lastIndexOf("\n") + 1))) return undefined;
  const span = argumentSpan(text, optionEnd);
  const colon =
    span === undefined ? -1 : text.slice(span.start, Math.min(span.end, span.start + LOOKED_AT)).indexOf(":");
  if (span === undefined || colon < 0) return undefined;
  const start = span.start + colon + 1;
  const password = text.slice(start, Math.min(span.end, start + LOOKED_AT));
  return password === "" || isNotASecret(password) ? undefined : { start, end: span.end };
}

/** `<password>VALUE</password>`, from the tag that closes it. */
function element(text: string, at: number): Span | undefined {
  const meaning = meaningOf(text, endOfRun(text, at + 2, WORD, LONGEST_NAME));
  const start = meaning === undefined ? at : startOfRun(text, at, ELEMENT_TEXT, LONGEST_ELEMENT);
  if (start === at || text[start - 1] !== ">") return undefined;
  const value = text.slice(start, at);
  const isSecret = meaning === "password" || (value.length >= SHORTEST_TOKEN && looksRandom(value));
  return isSecret && !isNotASecret(value) ? { start, end: at } : undefined;
}

const PASSWORD = /(?:password|passwd)[ \t]{1,8}/iy;
const BEFORE_IN_NETRC = /(?:^|\s)login\s{1,4}\S{1,60}\s{1,8}$/;
const BEFORE_IN_SQL = /\b(?:role|user|with|login|encrypted|set)\b[^\n]{0,60}$/i;

/** `login me password VALUE` and `WITH PASSWORD 'VALUE'`. */
function wordPassword(text: string, at: number): Span | undefined {
  PASSWORD.lastIndex = at;
  if (!PASSWORD.test(text)) return undefined;
  const from = PASSWORD.lastIndex;
  const before = text.slice(Math.max(0, at - LOOKED_BEFORE), at);
  const quoted = text[from] === "'";
  if (!(quoted && text[at] === "P" ? BEFORE_IN_SQL : BEFORE_IN_NETRC).test(before)) return undefined;
  const start = quoted ? from + 1 : from;
  const end = quoted ? endOfQuoted(text, start, "'") : endOfRun(text, start, ELEMENT_TEXT);
  return end === start || isNotASecret(text.slice(start, Math.min(end, start + LOOKED_AT)))
    ? undefined
    : { start, end };
}
