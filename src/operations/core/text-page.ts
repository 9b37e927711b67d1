/** A part of a text. */
export interface TextPage {
  readonly content: string;
  /** Characters of the whole text. */
  readonly total: number;
  /** Where the next part begins; null at the end. */
  readonly next: number | null;
}

/**
 * Returns a part of a text. Offsets count code points, so no cut falls inside a character: all parts joined in order
 * are the text again.
 */
export function textPage(text: string, offset: number, limit: number): TextPage {
  let start = text.length;
  let end = text.length;
  let total = 0;
  for (let at = 0; at < text.length; total += 1) {
    if (total === offset) start = at;
    if (total === offset + limit) end = at;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return { content: text.slice(start, end), total, next: offset + limit < total ? offset + limit : null };
}
