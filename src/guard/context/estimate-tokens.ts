/**
 * Estimates the tokens of a text: four ASCII characters are one token, and everything else counts more than in most
 * tokenizers (a letter with an accent 1, a Chinese character 1.75, an emoji 2), because a prompt that is a little too
 * short is better than one that a provider refuses. A text never has more tokens than its parts together.
 */
export function estimateTokens(text: string): number {
  return tokensOfWeight(tokenWeight(text));
}

/** The weight of a text is that of its parts together, and four are a token. */
export function tokenWeight(text: string): number {
  return 3 * Buffer.byteLength(text) - 2 * text.length;
}

export function tokensOfWeight(weight: number): number {
  return Math.ceil(weight / 4);
}

/** Returns the longest beginning within the limit, cut at a line break if that leaves at least half of it. */
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

/** Like `cutToTokens`, limited by UTF-16 units. Neither function cuts a surrogate pair. */
export function cutToLength(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, cutPoint(text, length));
}

function cutPoint(text: string, length: number): number {
  const inPair = length > 0 && (text.codePointAt(length - 1) ?? 0) > 0xffff;
  const end = inPair ? length - 1 : length;
  const lineBreak = text.lastIndexOf("\n", end);
  return lineBreak > 0 && lineBreak >= end / 2 ? lineBreak : end;
}
