/**
 * Makes text of agents safe for a terminal: characters that move the cursor, change colours or turn the direction of
 * writing are escaped, so that the text cannot overwrite other output. Line ends and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (char) => {
    const code = char.charCodeAt(0);
    return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, "0")}`;
  });
}

/** The same on one line. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " ").trim());
}

export function shortened(text: string, most: number): string {
  const line = visibleLine(text);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** Returns the beginning of a text for a line of a list. */
export function firstLine(text: string): string {
  return shortened(text, LONGEST_LINE);
}

const LONGEST_LINE = 100;
