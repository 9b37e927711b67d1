import { isBareReply } from "../../../domain/recall/bare-reply.ts";
import { REACH, scoreInContext } from "../../../domain/recall/context-score.ts";
import { foundReason } from "../../../domain/recall/found-reason.ts";
import { readQuery, type RecallQuery } from "../../../domain/recall/query.ts";
import { fuseRankings } from "../../../domain/recall/rank-fusion.ts";
import { relevanceBoost } from "../../../domain/recall/relevance-boost.ts";
import { asksTheSame, isQuestion } from "../../../domain/recall/same-question.ts";
import { rarity, scoreTerms, type Corpus } from "../../../domain/recall/score.ts";
import { isBySubject } from "../../../domain/recall/text-terms.ts";
import type { FoundText, SearchOptions } from "../../../ports/memory-index.ts";
import type { PersonalText } from "../../../ports/personal-context.ts";
import { ownTerm, splitTerms, type OpenIndex } from "./memory-index-file.ts";
import { findNearest } from "./nearest-vectors.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/**
 * Searches in two passes. First each term of the question gives the ids of the newest entries that contain it; the list
 * of a very common term is cut, so that a question about "the thing" does not read everything. Then the most promising
 * entries and their neighbours are read and ranked where they stand: see `scoreInContext`. With the vector of the
 * question, the ranking is fused with the one by meaning.
 */
const MAX_PER_TERM = 500;
const MAX_READ = 80;
const MAX_FILTERED = 400;
const NEIGHBOURS_OF = 12;
const NEAREST = 40;
/** Among fewer memories, or when one has every word of the question, those that only stand beside a match are not shown. */
const MANY = 40;

interface Entry {
  readonly file: number;
  readonly place: number;
  readonly name: string;
  readonly session: string | null;
  readonly text: PersonalText;
  readonly terms: readonly string[];
}

interface Search {
  readonly index: OpenIndex;
  readonly query: RecallQuery;
  readonly options: SearchOptions;
  readonly slicer: TimeSlicer;
  readonly size: number;
}

/** A text with its rank. `own` is zero when none of its words matches. */
interface Ranked {
  readonly rowid: number;
  readonly score: number;
  readonly own: number;
}

export async function searchTexts(
  index: OpenIndex,
  agent: string,
  question: string,
  options: SearchOptions,
  slicer: TimeSlicer,
): Promise<readonly FoundText[]> {
  const query = readQuery(question, options.now);
  const row = index.statements.agent.get(agent);
  if (row === undefined) return [];
  const number = Number(row["number"]);
  const size = Number(row["texts"]);
  const search = { index, query, options, slicer, size };
  const entries = new Map<number, Entry>();
  const { promising, frequency, covered, complete } = await findPromising(search, number);
  const corpus = { size, averageLength: Number(row["terms"]) / Math.max(1, size), frequency };
  await readEntries(search, promising, entries);
  const byWords = await rankByWords(search, entries, corpus, { covered, complete });
  const nearest = options.near === undefined ? [] : await findNearest(index, number, options.near, NEAREST, slicer);
  const byMeaning = nearest.filter((rowid) => {
    const entry = entries.get(rowid) ?? readEntry(search, rowid);
    if (entry !== undefined) entries.set(rowid, entry);
    return entry !== undefined && mayBeShown(search, entry);
  });
  const near = new Set(byMeaning);
  const own = new Map(byWords.map((each) => [each.rowid, each.own]));
  const ranked = byMeaning.length === 0 ? byWords : fuseRankings([byWords.map(({ rowid }) => rowid), byMeaning]);
  return ranked.slice(0, options.limit).flatMap(({ rowid, score }) => {
    const entry = entries.get(rowid);
    if (entry === undefined) return [];
    const bySubject = isBySubject(entry.text, query.weights);
    const because = { terms: entry.terms, beside: own.get(rowid) === 0, bySubject, near: near.has(rowid) };
    return [{ ...entry.text, file: entry.name, score, why: foundReason(query, because) }];
  });
}

interface Promising {
  /** The ids of entries, the most promising first. */
  readonly promising: readonly number[];
  /** How many entries contain each term. */
  readonly frequency: ReadonlyMap<string, number>;
  /** By day: which share of the question, by the weight of its terms, its entries contain together. */
  readonly covered: ReadonlyMap<string, number>;
  /** One entry contains every term of the question. */
  readonly complete: boolean;
}

async function findPromising({ index, query, options, slicer, size }: Search, agent: number): Promise<Promising> {
  const frequency = new Map<string, number>();
  const estimates = new Map<number, number>();
  /** By rowid: one bit for each term of the question that the entry contains. */
  const contained = new Map<number, number>();
  const weights: number[] = [];
  for (const [position, term] of query.terms.entries()) {
    const rows = index.statements.withTerm(`"${ownTerm(agent, term)}"`, MAX_PER_TERM);
    const count = rows.length < MAX_PER_TERM ? rows.length : Math.max(rows.length, size / 4);
    frequency.set(term, count);
    const weight = rarity(size, count) * (query.weights.get(term) ?? 1);
    weights.push(count === 0 ? 0 : weight);
    for (const [id] of rows) {
      const rowid = Number(id);
      estimates.set(rowid, (estimates.get(rowid) ?? 0) + weight);
      contained.set(rowid, (contained.get(rowid) ?? 0) | (1 << position));
    }
    await slicer.next();
  }
  const least = leastOf(estimates.values(), Math.max(MAX_FILTERED, options.limit));
  await slicer.next();
  const chosen = [...estimates].filter(([, estimate]) => estimate >= least);
  await slicer.next();
  const promising = chosen.toSorted((a, b) => b[1] - a[1] || b[0] - a[0]).map(([rowid]) => rowid);
  const ofSession = new Map<string, number>();
  for (const rowid of promising.slice(0, MAX_FILTERED)) {
    const session = index.statements.session.get(rowid)?.["session"];
    if (typeof session === "string")
      ofSession.set(session, (ofSession.get(session) ?? 0) | (contained.get(rowid) ?? 0));
    await slicer.next();
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const all = query.terms.reduce((bits, _term, position) => bits | (1 << position), 0);
  const complete = promising.some((rowid) => contained.get(rowid) === all);
  const shareOf = (bits: number): number =>
    weights.reduce((sum, weight, position) => sum + ((bits >>> position) & 1) * weight, 0) / Math.max(total, 1e-9);
  return {
    promising,
    frequency,
    complete,
    covered: new Map([...ofSession].map(([session, bits]) => [session, shareOf(bits)])),
  };
}

/** Returns the lowest of the `count` highest values: sorting thousands of numbers is fast, sorting pairs is not. */
function leastOf(values: Iterable<number>, count: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, sorted.length - count)] ?? 0;
}

async function readEntries(search: Search, rowids: readonly number[], entries: Map<number, Entry>): Promise<void> {
  const { tier, limit } = search.options;
  const enough = Math.max(MAX_READ, limit);
  for (const rowid of rowids.slice(0, tier === undefined ? enough : MAX_FILTERED)) {
    const entry = readEntry(search, rowid);
    if (entry !== undefined) entries.set(rowid, entry);
    if (entries.size >= enough) break;
    await search.slicer.next();
  }
}

/** Undefined when it is gone, or of another tier than requested. */
function readEntry({ index, options }: Search, rowid: number): Entry | undefined {
  const row = index.statements.entry.get(rowid);
  if (row === undefined) return undefined;
  const facts = JSON.parse(String(row["facts"])) as Omit<PersonalText, "text">;
  if (options.tier !== undefined && facts.tier !== options.tier) return undefined;
  const text = { ...facts, text: String(row["text"]) };
  const terms = splitTerms(row["terms"]);
  const session = row["session"] === null ? null : String(row["session"]);
  return { file: Number(row["file"]), place: Number(row["place"]), name: String(row["name"]), session, text, terms };
}

/** Adds the neighbours of the best entries to `entries`, and returns what may be shown, the best first. */
async function rankByWords(
  search: Search,
  entries: Map<number, Entry>,
  corpus: Corpus,
  { covered, complete }: Pick<Promising, "covered" | "complete">,
): Promise<readonly Ranked[]> {
  const { index, query, options, slicer, size } = search;
  const own = new Map<number, number>();
  for (const [rowid, { terms }] of entries) {
    own.set(rowid, scoreTerms(query, terms, corpus));
    await slicer.next();
  }
  const hits = [...own].toSorted((a, b) => b[1] - a[1]).slice(0, NEIGHBOURS_OF);
  for (const [rowid] of hits) {
    const hit = entries.get(rowid);
    if (hit === undefined) continue;
    for (const row of index.statements.neighbours.all(hit.file, hit.place - REACH, hit.place + REACH)) {
      const beside = Number(row["rowid"]);
      const entry = entries.has(beside) ? undefined : readEntry(search, beside);
      if (entry === undefined) continue;
      entries.set(beside, entry);
      own.set(beside, scoreTerms(query, entry.terms, corpus));
    }
    await slicer.next();
  }
  const atPlace = new Map([...entries].map(([rowid, { file, place }]) => [`${file} ${place}`, rowid]));
  const best = hits[0]?.[1] ?? 0;
  const ranked: Ranked[] = [];
  for (const [rowid, entry] of entries) {
    await slicer.next();
    if (!mayBeShown(search, entry)) continue;
    const { file, place, session, text } = entry;
    const besides = Array.from({ length: 2 * REACH + 1 }, (_, step) => {
      const beside = entries.get(atPlace.get(`${file} ${place + step - REACH}`) ?? -1);
      return beside?.session === session ? beside : undefined;
    });
    const ownOf = (beside: Entry | undefined): number =>
      beside === undefined ? 0 : (own.get(atPlace.get(`${beside.file} ${beside.place}`) ?? -1) ?? 0);
    const before = besides.slice(0, REACH).reverse();
    const context = {
      own: own.get(rowid) ?? 0,
      before: before.map(ownOf),
      after: besides.slice(REACH + 1).map(ownOf),
      asks: before[0] !== undefined && isQuestion(before[0].text.text),
      covered: session === null ? 0 : (covered.get(session) ?? 0),
      bySubject: isBySubject(text, query.weights),
      best,
    };
    if (context.own === 0 && (complete || size < MANY) && text.kind === "memory") continue;
    const score = scoreInContext(context) * relevanceBoost(text, options.now);
    if (score > 0) ranked.push({ rowid, score, own: context.own });
  }
  return ranked.toSorted(
    (a, b) => b.score - a.score || kindRank(entries, b) - kindRank(entries, a) || b.rowid - a.rowid,
  );
}

/** At equal score, memories and notes come before talk. */
function kindRank(entries: ReadonlyMap<number, Entry>, { rowid }: Ranked): number {
  return entries.get(rowid)?.text.kind === "conversation" ? 0 : 1;
}

/** Not shown: bare replies, the question itself, and the messages that are being answered. */
function mayBeShown({ query, options }: Search, { text }: Entry): boolean {
  if (text.kind === "memory") return true;
  if (isBareReply(text.text)) return false;
  if (text.kind === "note") return true;
  const isAnswered = ({ text: answered, at }: { readonly text: string; readonly at: number }): boolean =>
    answered.startsWith(text.text) && text.at === Math.floor(at / 1000) * 1000;
  return !asksTheSame(query, text.text) && options.except?.some(isAnswered) !== true;
}
