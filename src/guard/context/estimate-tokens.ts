/**
 * How many tokens a text costs, without asking any provider. Four ASCII characters to a token; everything else counts
 * more than most tokenizers charge (a letter with an accent 1, a Chinese character 1.75, an emoji 2), because a prompt
 * that is a little shorter than allowed is better than one that is refused. A text never costs more than its parts do,
 * so parts that fit separately fit together.
 */
export function estimateTokens(text: string): number {
  return Math.ceil((3 * Buffer.byteLength(text) - 2 * text.length) / 4);
}

/** The longest beginning that costs at most so much, never half a character; at a line break if that keeps half of it. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let fits = 0;
  let over = Math.min(text.length, Math.max(0, tokens) * 4 + 1);
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) fits = middle;
    else over = middle;
  }
  return text.slice(0, cutPoint(text, fits));
}

/** The longest beginning of at most so many UTF-16 units, cut at the same places. */
export function cutToLength(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, cutPoint(text, length));
}

function cutPoint(text: string, length: number): number {
  const inPair = length > 0 && (text.codePointAt(length - 1) ?? 0) > 0xffff;
  const end = inPair ? length - 1 : length;
  const lineBreak = text.lastIndexOf("\n", end);
  return lineBreak > 0 && lineBreak >= end / 2 ? lineBreak : end;
}
