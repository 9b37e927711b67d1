import { INVISIBLE } from "../../domain/text/look-alike.ts";

/**
 * The Markdown form of a conversation, shared by direct messages and the channel mirror:
 *
 *     ### 10:00:05 [reviewer]
 *     text of the message
 *
 * A line of a message that looks like such a heading, to a program or to a reader of the file, gets a backslash, so that
 * a message cannot forge the entry of another sender. Parsing removes the backslash.
 */
export interface TranscriptEntry {
  /** HH:MM:SS, UTC. */
  readonly time: string;
  readonly sender: string;
  readonly text: string;
}

const HEADING = /^### (\d{2}:\d{2}:\d{2}) \[([^\]]*)\][ \t]*$/;
/** On a line as it is drawn: in a quotation or a list, as HTML, and as a line that the next one could underline. */
const DRAWN_HEADING = /^\\*\s*(?:(?:[>*+-]|\p{Nd}+[.)])\s*)*(?:#+|<\s*h[1-6][^>]*>)\s*\p{Nd}{1,2}\s*[:.]\s*\p{Nd}{2}/iu;
const DRAWN_TITLE = /^\\*\s*\p{Nd}{1,2}\s*:\s*\p{Nd}{2}\s*:\s*\p{Nd}{2}\s*\[[^\]]*\]\s*$/u;
const ALL_INVISIBLE = new RegExp(INVISIBLE, "gu");
const COLONS = /[\u02d0\u02f8\u0589\u05c3\u0703\u0704\u1361\u16ec\u205a\u2236\ua789\ufe13\ufe30]/gu;
/** The beginning of a line is enough: what is not drawn is removed before. */
const CHECKED_CHARS = 1000;
/** Every character sequence that an editor may show as a line end. */
const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;

/** `at` in milliseconds since the epoch. */
export function timeOfDay(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** YYYY-MM-DD, UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function linesOf(text: string): string[] {
  return text.split(LINE_END);
}

/** Returns an entry that ends with a blank line. Line ends become "\n"; blank lines at the end of the text are dropped. */
export function formatTranscriptEntry({ time, sender, text }: TranscriptEntry): string {
  const lines = linesOf(text.trimEnd());
  const body = lines.map((line) => (looksLikeHeading(line) ? `\\${line}` : line)).join("\n");
  return `### ${time} [${sender}]\n${body}\n\n`;
}

/** Returns the entries in file order. Text before the first heading is a person's remark and belongs to no entry. */
export function parseTranscript(markdown: string): TranscriptEntry[] {
  const found: { time: string; sender: string; lines: string[] }[] = [];
  for (const line of markdown.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    if (heading !== null) found.push({ time: heading[1] ?? "", sender: heading[2] ?? "", lines: [] });
    else found.at(-1)?.lines.push(line.startsWith("\\") && looksLikeHeading(line) ? line.slice(1) : line);
  }
  return found.map(({ time, sender, lines }) => ({ time, sender, text: lines.join("\n").trimEnd() }));
}

/** Returns the end of a transcript from the heading of its last `count` entries on; all of it when there are fewer. */
export function lastEntriesIn(markdown: string, count: number): string {
  let end = markdown.length;
  for (let left = count; left > 0;) {
    const at = markdown.lastIndexOf("\n### ", end - 1);
    if (at === -1 || end === 0) return markdown;
    end = at;
    const lineEnd = markdown.indexOf("\n", at + 1);
    const line = markdown.slice(at + 1, lineEnd === -1 ? undefined : lineEnd);
    if (HEADING.test(line.replace(/\r$/, ""))) left -= 1;
  }
  return markdown.slice(end + 1);
}

/** Nothing but a line with two digits can look like a heading, and most lines have none. */
function looksLikeHeading(line: string): boolean {
  if (!/\p{N}[^]*\p{N}/u.test(line)) return false;
  const beginning = line.replace(ALL_INVISIBLE, "").trimStart().slice(0, CHECKED_CHARS);
  const drawn = beginning.normalize("NFKD").replace(ALL_INVISIBLE, "").replace(COLONS, ":");
  return DRAWN_HEADING.test(drawn) || DRAWN_TITLE.test(drawn);
}
