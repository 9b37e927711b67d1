import { REACH, scoreInContext } from "./context-score.ts";
import { readQuery, type RecallQuery } from "./query.ts";
import { rarity, scoreTerms, type Corpus } from "./score.ts";
import { createSegment, frequencyIn, type SegmentText, type TextSegment } from "./segment.ts";

/** Where a text is, and how well it answers a question where it stands. */
export interface RankedText {
  readonly segment: number;
  readonly index: number;
  readonly score: number;
}

export interface RankOptions {
  readonly now: number;
  readonly limit: number;
}

/** A term that more than this share of many texts hold does not distinguish them. */
const COMMON_SHARE = 0.25;
const MANY = 40;
const NEIGHBOURS_OF = 12;

interface Candidate {
  readonly segment: number;
  readonly index: number;
  estimate: number;
  /** One bit for each term of the question that the text contains. */
  contained: number;
  own: number;
}

/** Returns the texts that share a distinctive term with the question, or stand beside one that does, the best first. */
export function rankSegments(
  segments: readonly TextSegment[],
  question: string,
  { now, limit }: RankOptions,
): readonly RankedText[] {
  const query = readQuery(question, now);
  const size = segments.reduce((sum, { texts }) => sum + texts.length, 0);
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  const frequency = new Map(query.terms.map((term) => [term, frequencyIn(segments, term)]));
  const corpus: Corpus = { size, averageLength: length / Math.max(1, size), frequency };
  const found = findCandidates(segments, query, corpus);
  const covered = coverageOf(segments, found, query, corpus);

  const best = found.toSorted((a, b) => b.estimate - a.estimate).slice(0, limit);
  const scored = new Map<number, Candidate>();
  const score = (candidate: Candidate): void => {
    const terms = segments[candidate.segment]?.texts[candidate.index]?.terms ?? [];
    candidate.own = scoreTerms(query, terms, corpus);
    scored.set(placeKey(candidate.segment, candidate.index), candidate);
  };
  for (const candidate of best) score(candidate);
  const hits = best.toSorted((a, b) => b.own - a.own);
  const all = query.terms.reduce((bits, _term, bit) => bits | (1 << bit), 0);
  // Where one text has every word of the question, those beside a match add nothing.
  if (size >= MANY && !found.some(({ contained }) => contained === all)) {
    for (const { segment, index } of hits.slice(0, NEIGHBOURS_OF)) {
      for (const beside of besides(segments, segment, index)) {
        if (!scored.has(placeKey(segment, beside)))
          score({ segment, index: beside, estimate: 0, contained: 0, own: 0 });
      }
    }
  }
  const ownAt = (segment: number, index: number): number => scored.get(placeKey(segment, index))?.own ?? 0;
  const ranked = [...scored.values()].map(({ segment, index, own }) => {
    const text = segments[segment]?.texts[index];
    const near = besides(segments, segment, index);
    const context = {
      own,
      before: near
        .filter((beside) => beside < index)
        .reverse()
        .map((beside) => ownAt(segment, beside)),
      after: near.filter((beside) => beside > index).map((beside) => ownAt(segment, beside)),
      asks: near.includes(index - 1) && segments[segment]?.texts[index - 1]?.asks === true,
      covered: covered.get(text?.session ?? "") ?? 0,
      bySubject: text !== undefined && isBy(text, query),
      best: hits[0]?.own ?? 0,
    };
    return { segment, index, score: scoreInContext(context) };
  });
  return ranked
    .filter((text) => text.score > 0)
    .toSorted((a, b) => b.score - a.score || a.segment - b.segment || a.index - b.index);
}

/** A number for the place of a text: no segment has as many texts. */
function placeKey(segment: number, index: number): number {
  return segment * 1_000_000 + index;
}

function findCandidates(segments: readonly TextSegment[], { terms }: RecallQuery, corpus: Corpus): Candidate[] {
  const { size, frequency } = corpus;
  const countOf = (term: string): number => frequency.get(term) ?? 0;
  const isCommon = (term: string): boolean => size >= MANY && countOf(term) > size * COMMON_SHARE;
  const distinctive = terms.some((term) => countOf(term) > 0 && !isCommon(term));
  const found: Candidate[] = [];
  for (const [segment, { postings }] of segments.entries()) {
    const inSegment = new Map<number, Candidate>();
    for (const [bit, term] of terms.entries()) {
      if (distinctive && isCommon(term)) continue;
      const weight = rarity(size, countOf(term));
      for (const index of postings.get(term) ?? []) {
        const candidate = inSegment.get(index) ?? { segment, index, estimate: 0, contained: 0, own: 0 };
        candidate.estimate += weight;
        candidate.contained |= 1 << bit;
        inSegment.set(index, candidate);
      }
    }
    found.push(...inSegment.values());
  }
  return found;
}

/** Returns which share of the question, by the weight of its terms, the texts of each day contain together. */
function coverageOf(
  segments: readonly TextSegment[],
  found: readonly Candidate[],
  { terms, weights }: RecallQuery,
  { size, frequency }: Corpus,
): ReadonlyMap<string, number> {
  const bits = new Map<string, number>();
  for (const { segment, index, contained } of found) {
    const session = segments[segment]?.texts[index]?.session;
    if (session != null) bits.set(session, (bits.get(session) ?? 0) | contained);
  }
  const weightOf = terms.map((term) => {
    const count = frequency.get(term) ?? 0;
    return count === 0 ? 0 : rarity(size, count) * (weights.get(term) ?? 1);
  });
  const all = Math.max(
    1e-9,
    weightOf.reduce((sum, weight) => sum + weight, 0),
  );
  const shareOf = (contained: number): number =>
    weightOf.reduce((sum, weight, bit) => sum + ((contained >>> bit) & 1) * weight, 0) / all;
  return new Map([...bits].map(([session, contained]) => [session, shareOf(contained)]));
}

/** Returns the positions beside a text, in order: those of the same day and file. */
function besides(segments: readonly TextSegment[], segment: number, index: number): number[] {
  const texts = segments[segment]?.texts ?? [];
  const positions: number[] = [];
  for (let beside = Math.max(0, index - REACH); beside <= Math.min(texts.length - 1, index + REACH); beside += 1) {
    if (beside !== index && texts[beside]?.session === texts[index]?.session) positions.push(beside);
  }
  return positions;
}

function isBy({ speaker }: SegmentText, { weights }: RecallQuery): boolean {
  return speaker.length > 0 && speaker.every((name) => weights.has(name));
}

/** Ranks texts that do not belong together, such as the sentences of one text. `termLists` are the terms of each. */
export function createRanking(termLists: readonly (readonly string[])[]) {
  const texts = termLists.map((terms, index) => ({ terms, session: `${index}`, speaker: [], asks: false }));
  const segment = createSegment(texts);
  return {
    rank: (question: string, limit = termLists.length): readonly RankedText[] =>
      rankSegments([segment], question, { now: 0, limit }),
  };
}
