import measure from "fast-string-truncated-width";

/** How many columns a text takes in a terminal: most East Asian characters and emoji take two. */
export function textWidth(text: string): number {
  return measure(text).width;
}

/** Returns the longest beginning of a text that fits into the columns. */
export function beginningOf(text: string, columns: number): string {
  const { index, truncated } = measure(text, { limit: columns });
  if (!truncated) return text;
  return SURROGATE.test(text) ? wholeCharacters(text, columns) : text.slice(0, index);
}

/** Fills a text with spaces up to the columns. */
export function padToWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** Returns the text, or its beginning and a sign that there is more. */
export function fitToWidth(text: string, columns: number): string {
  return textWidth(text) <= columns ? text : `${beginningOf(text, Math.max(0, columns - 1))}…`;
}

const SURROGATE = /[\ud800-\udfff]/;
let segmenter: Intl.Segmenter | undefined;

/** For text with characters of several units, which must not be cut. It takes longer, and is rare. */
function wholeCharacters(text: string, columns: number): string {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let end = 0;
  let width = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    width += textWidth(segment);
    if (width > columns) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
