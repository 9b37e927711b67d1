import { informative } from "./informative.ts";
import { sentencesOf } from "./sentences.ts";

/** A sentence that somebody said. */
export interface SpokenSentence {
  /** Who said it and where it is, as a reader sees it: `12 bob`. */
  readonly label: string;
  readonly text: string;
  readonly value: number;
}

/** What a summary is made of. */
export interface SummarySource {
  readonly label: string;
  readonly body: string;
}

/** Cached by object: a message is summarised in several prompts. */
const SENTENCES = new WeakMap<SummarySource, readonly SpokenSentence[]>();
/** Of one message, so that a long one does not fill the summary. */
const MOST_OF_ONE = 3;
const LEAST_VALUE = 0.75;

/**
 * Makes a summary without a model: the most informative sentences, in the order in which they were said, as many as fit.
 * A sentence that was said before in the same words is left out. The same sources always give the same summary.
 */
export function extractSummary(sources: readonly SummarySource[], mostChars: number): string {
  const seen = new Set<string>();
  const found = sources.flatMap(sentencesIn).filter(({ text }) => {
    const words = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
    if (seen.has(words)) return false;
    seen.add(words);
    return true;
  });
  const chosen = new Set<SpokenSentence>();
  let left = mostChars;
  for (const sentence of found.toSorted((a, b) => b.value - a.value)) {
    const cost = lineOf(sentence).length + 1;
    if (cost > left) continue;
    left -= cost;
    chosen.add(sentence);
  }
  return found
    .filter((sentence) => chosen.has(sentence))
    .map(lineOf)
    .join("\n");
}

/** Returns the lines of a summary that say most, in their order, as many as fit. */
export function shortenSummary(text: string, fits: (shorter: string) => boolean): string {
  const lines = text.split("\n");
  const byValue = lines
    .map((line, index) => ({ index, value: informative(line) }))
    .toSorted((a, b) => b.value - a.value || a.index - b.index);
  for (let most = lines.length; most > 0; most = most > 8 ? Math.floor(most * 0.8) : most - 1) {
    const kept = new Set(byValue.slice(0, most).map(({ index }) => index));
    const shorter = lines.filter((_, index) => kept.has(index)).join("\n");
    if (fits(shorter)) return shorter;
  }
  return "";
}

function sentencesIn(source: SummarySource): readonly SpokenSentence[] {
  const cached = SENTENCES.get(source);
  if (cached !== undefined) return cached;
  const best = sentencesOf(source.body)
    .map((text, index) => ({ label: source.label, text, value: informative(text), index }))
    .filter(({ value }) => value >= LEAST_VALUE)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MOST_OF_ONE)
    .toSorted((a, b) => a.index - b.index);
  SENTENCES.set(source, best);
  return best;
}

function lineOf({ label, text }: SpokenSentence): string {
  return `- ${label}: ${text}`;
}
