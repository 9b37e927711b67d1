import { termsOf } from "./terms.ts";

/** `Maria: ...`, also after a date or another mark at the beginning. */
const SPEAKER =
  /(?:^|[\])>,–-]\s*)["“]?(\p{Lu}[\p{L}\p{M}'’-]{1,30})(?:\s\p{Lu}[\p{L}\p{M}'’-]{1,30})?\s*(?::|\bsa(?:id|ys)\b)/u;
const CHECKED_CHARS = 80;

/** Returns the terms of the name of whoever says a text, if the text says it at its beginning. */
export function speakerTerms(text: string): readonly string[] {
  const name = SPEAKER.exec(text.slice(0, CHECKED_CHARS))?.[1];
  return name === undefined ? [] : termsOf(name);
}
