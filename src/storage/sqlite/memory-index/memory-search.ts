import { readQuery, type RecallQuery } from "../../../domain/recall/query.ts";
import { relevanceBoost } from "../../../domain/recall/relevance-boost.ts";
import { rarity, scoreTerms, type Corpus } from "../../../domain/recall/score.ts";
import type { FoundText, SearchOptions } from "../../../ports/memory-index.ts";
import type { PersonalText } from "../../../ports/personal-context.ts";
import { ownTerm, splitTerms, type OpenIndex } from "./memory-index-file.ts";
import type { TimeSlicer } from "./time-slicer.ts";

/**
 * Searches in two passes. First each term of the question gives the ids of the newest entries that contain it; the list
 * of a very common term is cut, so that a question about "the thing" does not read everything. Then the most promising
 * entries are read and ranked by all their facts. Messages beside a good hit of a conversation are ranked too, because
 * the answer often has none of the words of the question.
 */
const MAX_PER_TERM = 500;
const MAX_READ = 80;
const MAX_FILTERED = 400;
const NEIGHBOURS_OF = 10;
const BESIDE_SHARE = 0.3;
const ANSWER_SHARE = 0.9;

interface Entry {
  readonly file: number;
  readonly place: number;
  readonly name: string;
  readonly text: PersonalText;
  readonly terms: readonly string[];
}

interface Search {
  readonly index: OpenIndex;
  readonly query: RecallQuery;
  readonly options: SearchOptions;
  readonly slicer: TimeSlicer;
}

export async function searchTexts(
  index: OpenIndex,
  agent: string,
  question: string,
  options: SearchOptions,
  slicer: TimeSlicer,
): Promise<readonly FoundText[]> {
  const query = readQuery(question);
  const row = index.statements.agent.get(agent);
  if (row === undefined || query.terms.length === 0) return [];
  const search = { index, query, options, slicer };
  const size = Number(row["texts"]);
  const { promising, frequency } = await findPromising(search, Number(row["number"]), size);
  const corpus = { size, averageLength: Number(row["terms"]) / Math.max(1, size), frequency };
  const entries = await readEntries(search, promising);
  const scores = await scoreEntries(search, entries, corpus);
  return [...scores]
    .toSorted((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, options.limit)
    .flatMap(([rowid, score]) => {
      const entry = entries.get(rowid);
      return entry === undefined ? [] : [{ ...entry.text, file: entry.name, score }];
    });
}

/** Returns the ids of entries, the most promising first, and how many contain each term. */
async function findPromising({ index, query, options, slicer }: Search, agent: number, size: number) {
  const frequency = new Map<string, number>();
  const estimates = new Map<number, number>();
  for (const term of query.terms) {
    const rows = index.statements.withTerm(`"${ownTerm(agent, term)}"`, MAX_PER_TERM);
    const count = rows.length < MAX_PER_TERM ? rows.length : Math.max(rows.length, size / 4);
    frequency.set(term, count);
    const weight = rarity(size, count) * (query.weights.get(term) ?? 1);
    for (const [rowid] of rows) estimates.set(Number(rowid), (estimates.get(Number(rowid)) ?? 0) + weight);
    await slicer.next();
  }
  await slicer.next();
  const least = leastOf(estimates.values(), Math.max(MAX_FILTERED, options.limit));
  await slicer.next();
  const promising = [...estimates].filter(([, estimate]) => estimate >= least);
  await slicer.next();
  return { promising: promising.toSorted((a, b) => b[1] - a[1] || b[0] - a[0]).map(([rowid]) => rowid), frequency };
}

/** Returns the lowest of the `count` highest values: sorting thousands of numbers is fast, sorting pairs is not. */
function leastOf(values: Iterable<number>, count: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, sorted.length - count)] ?? 0;
}

async function readEntries(search: Search, rowids: readonly number[]): Promise<Map<number, Entry>> {
  const { tier, limit } = search.options;
  const enough = Math.max(MAX_READ, limit);
  const entries = new Map<number, Entry>();
  for (const rowid of rowids.slice(0, tier === undefined ? enough : MAX_FILTERED)) {
    const entry = readEntry(search, rowid);
    if (entry !== undefined) entries.set(rowid, entry);
    if (entries.size >= enough) break;
    await search.slicer.next();
  }
  return entries;
}

/** Undefined when it is gone, or of another tier than requested. */
function readEntry({ index, options }: Search, rowid: number): Entry | undefined {
  const row = index.statements.entry.get(rowid);
  if (row === undefined) return undefined;
  const facts = JSON.parse(String(row["facts"])) as Omit<PersonalText, "text">;
  if (options.tier !== undefined && facts.tier !== options.tier) return undefined;
  const text = { ...facts, text: String(row["text"]) };
  const terms = splitTerms(row["terms"]);
  return { file: Number(row["file"]), place: Number(row["place"]), name: String(row["name"]), text, terms };
}

async function scoreEntries(
  search: Search,
  entries: Map<number, Entry>,
  corpus: Corpus,
): Promise<ReadonlyMap<number, number>> {
  const { query, options, slicer } = search;
  const ownScores = new Map<number, number>();
  const scoreOf = ({ text, terms }: Entry): number =>
    scoreTerms(query, terms, corpus) * relevanceBoost(text, options.now);
  for (const [rowid, entry] of entries) {
    ownScores.set(rowid, scoreOf(entry));
    await slicer.next();
  }
  const scores = new Map(ownScores);
  const hits = [...ownScores]
    .toSorted((a, b) => b[1] - a[1])
    .filter(([rowid]) => entries.get(rowid)?.text.kind === "conversation")
    .slice(0, NEIGHBOURS_OF);
  for (const [rowid, score] of hits) {
    for (const [beside, share] of neighboursOf(search, entries.get(rowid))) {
      const entry = entries.get(beside) ?? readEntry(search, beside);
      if (entry === undefined) continue;
      entries.set(beside, entry);
      if (!ownScores.has(beside)) ownScores.set(beside, scoreOf(entry));
      scores.set(beside, Math.max(scores.get(beside) ?? 0, (ownScores.get(beside) ?? 0) + share * score));
    }
    await slicer.next();
  }
  return scores;
}

/** Returns the neighbours with their share of the hit's score: what follows a question is likely its answer. */
function neighboursOf({ index }: Search, entry: Entry | undefined): (readonly [rowid: number, share: number])[] {
  if (entry === undefined) return [];
  const isQuestion = /[?？]\s*$/u.test(entry.text.text);
  const beside = [
    [entry.place - 1, BESIDE_SHARE],
    [entry.place + 1, isQuestion ? ANSWER_SHARE : BESIDE_SHARE],
  ] as const;
  return beside.flatMap(([place, share]) => {
    const row = index.statements.neighbour.get(entry.file, place);
    return row === undefined ? [] : [[Number(row["rowid"]), share] as const];
  });
}
