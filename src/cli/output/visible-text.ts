/**
 * Makes text safe for a terminal: characters that move the cursor, change colours, turn the direction of writing or end a
 * line are escaped, so that the text cannot overwrite other output. Line ends and tabs stay. JSON stays JSON of the same
 * value: JSON itself escapes what is below U+0020, and the rest is escaped here as JSON escapes it.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(OBEYED, escaped);
}

/** Everything that the command prints goes through here: the same, and only the program's own styles are obeyed. */
export function terminalText(text: string): string {
  if (styleMark === undefined || !text.includes(styleMark)) return visibleText(text);
  return text
    .split(styleMark)
    .map((part, index) => (index === 0 ? visibleText(part) : `\u001b[${part.replace(AFTER_STYLE, visibleText)}`))
    .join("");
}

const OBEYED = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const AFTER_STYLE = /(?<=^\d+m)[^]*/;

function escaped(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return character < " " ? `\\x${code.padStart(2, "0")}` : `\\u${code.padStart(4, "0")}`;
}

/** Stands for the beginning of a style. It is random, and never printed, so that no text can contain it. */
let styleMark: string | undefined;

/** Returns the text in a style of ANSI, which ends with another one: colours, bold, dim. */
export function styled(style: number, text: string, end: number): string {
  styleMark ??= `\u001b${process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex")}`;
  return `${styleMark}${style}m${text}${styleMark}${end}m`;
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
