/**
 * The Markdown form of a conversation, shared by direct messages and the channel mirror:
 *
 *     ### 10:00:05 [reviewer]
 *     text of the message
 *
 * A line of a message that looks like such a heading gets a backslash, so that a message cannot forge the entry of
 * another sender. Parsing removes the backslash.
 */
export interface TranscriptEntry {
  /** HH:MM:SS, UTC. */
  readonly time: string;
  readonly sender: string;
  readonly text: string;
}

const HEADING = /^### (\d{2}:\d{2}:\d{2}) \[([^\]]*)\][ \t]*$/;
const LOOKS_LIKE_HEADING = /^\\*[\s\p{Cf}]*#+[\s\p{Cf}]*\d{1,2}:\d{2}/u;
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
  const body = lines.map((line) => (LOOKS_LIKE_HEADING.test(line) ? `\\${line}` : line)).join("\n");
  return `### ${time} [${sender}]\n${body}\n\n`;
}

/** Returns the entries in file order. Text before the first heading is a person's remark and belongs to no entry. */
export function parseTranscript(markdown: string): TranscriptEntry[] {
  const found: { time: string; sender: string; lines: string[] }[] = [];
  for (const line of markdown.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    if (heading !== null) found.push({ time: heading[1] ?? "", sender: heading[2] ?? "", lines: [] });
    else found.at(-1)?.lines.push(LOOKS_LIKE_HEADING.test(line) ? line.replace(/^\\/, "") : line);
  }
  return found.map(({ time, sender, lines }) => ({ time, sender, text: lines.join("\n").trimEnd() }));
}
