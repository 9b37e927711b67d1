import { plainText, span } from "./span.ts";
import { wrapLine } from "./wrap-line.ts";

/** The part of a help text that is wrapped ends here: usage and examples are copied, and stay as they are. */
const COPIED = /^(?:Usage: | {2}agent-worker )/;

/**
 * Returns a help text for a terminal of this width: sentences fill its lines, and a long row goes on below its second
 * column. Where there is no terminal, the text stays as it is.
 */
export function fittedHelp(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return joinedSentences(text.split("\n"))
    .flatMap((line) => (COPIED.test(line) ? [line] : wrapped(line, columns)))
    .join("\n");
}

/** A line that ends in the middle of a sentence goes on in the next. */
function joinedSentences(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    const goesOn = last !== undefined && /^\S/.test(last) && /[\w,;)"'`-]$/.test(last) && /^\S/.test(line);
    if (goesOn && !COPIED.test(line)) joined[joined.length - 1] = `${last} ${line}`;
    else joined.push(line);
  }
  return joined;
}

function wrapped(line: string, columns: number): string[] {
  const row = /^ +\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? /^ */.exec(line)?.[0].length ?? 0;
  return wrapLine([span(line, "plain")], columns, row).map((each) => plainText(each).trimEnd());
}
