import { fitToWidth } from "../screen/text-width.ts";

/**
 * Makes text safe for a terminal: characters that move the cursor, change colours, turn the direction of writing or end a
 * line are escaped, so that the text cannot overwrite other output. So are characters that are not drawn, because a text
 * could be hidden in them; those that emoji and some scripts are written with stay. Line ends and tabs stay. JSON stays JSON of the same
 * value: JSON itself escapes what is below U+0020, and the rest is escaped here as JSON escapes it.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(NOT_PLAIN, (character, at: number, whole: string) =>
      isWritten(whole, at) ? character : escaped(character),
    );
}

/** Everything that the command prints goes through here: the same, and only the program's own styles are obeyed. */
export function terminalText(text: string): string {
  if (styleMark === undefined || !text.includes(styleMark)) return visibleText(text);
  return text
    .split(styleMark)
    .map((part, index) => (index === 0 ? visibleText(part) : `\u001b[${part.replace(AFTER_STYLE, visibleText)}`))
    .join("");
}

const NOT_PLAIN = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** The scripts in which a joiner between two letters changes how they are drawn. */
const JOINING_SCRIPTS =
  "Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala".split(" ");
/** A joiner or a variation selector that belongs to an emoji, or a joiner between letters of such a script. */
const WRITTEN = new RegExp(
  [
    String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    ...JOINING_SCRIPTS.map((script) => {
      const letter = String.raw`[\p{Script=${script}}&&[\p{L}\p{M}]]`;
      return String.raw`(?<=${letter})[\u200c\u200d](?=${letter})`;
    }),
  ].join("|"),
  "vy",
);

function isWritten(text: string, at: number): boolean {
  WRITTEN.lastIndex = at;
  return WRITTEN.test(text);
}

const AFTER_STYLE = /(?<=^\d+m)[^]*/;

function escaped(character: string): string {
  const codes = character.split("").map((unit) => unit.charCodeAt(0).toString(16));
  return character < " "
    ? `\\x${codes[0]?.padStart(2, "0")}`
    : codes.map((code) => `\\u${code.padStart(4, "0")}`).join("");
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

/** Returns a text as one line of at most so many columns. */
export function shortened(text: string, most: number): string {
  return fitToWidth(visibleLine(text), most);
}

/** Returns the beginning of a text for a line of a list. */
export function firstLine(text: string): string {
  return shortened(text, LONGEST_LINE);
}

const LONGEST_LINE = 100;
