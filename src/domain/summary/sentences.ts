/** A longer sentence is cut: one line of a summary is for one thing. */
const MOST_CHARS = 240;
/** Only this much of a message is read for a summary. */
const READ_CHARS = 8000;

/** Returns the sentences of a text, each on one line. Code blocks and quotes of earlier messages are left out. */
export function sentencesOf(text: string): readonly string[] {
  const plain = text
    .slice(0, READ_CHARS)
    .toWellFormed()
    .replace(/```[\s\S]*?(```|$)/g, "\n");
  const sentences: string[] = [];
  for (const line of plain.split(LINE_END)) {
    if (/^\s*>/.test(line)) continue;
    for (const part of line.replace(LIST_MARK, "").split(SENTENCE_END)) {
      const sentence = part.replace(/[\s\p{Cc}]+/gu, " ").trim();
      if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(cut(sentence));
    }
  }
  return sentences;
}

const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;
const LIST_MARK = /^\s*(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+/;
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'(@#])|(?<=[。！？])/u;

function cut(sentence: string): string {
  if (sentence.length <= MOST_CHARS) return sentence;
  const end = sentence.lastIndexOf(" ", MOST_CHARS);
  return `${sentence.slice(0, end > MOST_CHARS / 2 ? end : MOST_CHARS).toWellFormed()} ...`;
}
