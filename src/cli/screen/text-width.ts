import measure from "fast-string-truncated-width";

/** How many columns a text takes in a terminal: most East Asian characters and emoji take two. */
export function textWidth(text: string): number {
  return measure(text).width;
}

/** Returns the longest beginning of a text that fits into the columns. */
export function beginningOf(text: string, columns: number): string {
  const { index, truncated } = measure(text, { limit: columns });
  return truncated ? text.slice(0, isHalf(text, index) ? index - 1 : index) : text;
}

/** Fills a text with spaces up to the columns. */
export function padToWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textWidth(text)));
}

/** Returns the text, or its beginning and a sign that there is more. */
export function fitToWidth(text: string, columns: number): string {
  return textWidth(text) <= columns ? text : `${beginningOf(text, Math.max(0, columns - 1))}…`;
}

/** Whether a character of two units would be cut at the index. */
function isHalf(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
