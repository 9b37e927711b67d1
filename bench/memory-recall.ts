import { join } from "node:path";
import { termsOf } from "../src/domain/recall/terms.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { openMemoryIndex } from "../src/storage/sqlite/memory-index/memory-index.ts";
import { format, median, type Bench, type Figure } from "./bench.ts";
import { openNaiveSearch } from "./limits/naive-fts.ts";
import { HELD_OUT_TOPICS } from "./support/held-out-topics.ts";
import {
  longConversation,
  QUESTION_KINDS,
  type AskedLater,
  type LongConversation,
  type Topic,
} from "./support/long-conversations.ts";
import { personalText } from "./support/personal-text.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { TUNING_TOPICS } from "./support/tuning-topics.ts";

const FIRST = 10;
const NOW = Date.UTC(2026, 5, 1);
const AGENT = "alice";

/** How the turns of a conversation reach the agent: as its direct messages, or as memories. */
const FORMS = ["conversation", "memory"] as const;
type Form = (typeof FORMS)[number];

/**
 * How much of what answers a question is among the first ten results. The set is made, and the same for a seed. Its two
 * halves have no topic in common: the ranking was adjusted to the tuning half only.
 */
export const memoryRecall: Bench = {
  name: "memory-recall",
  measures: "the share of evidence found in long conversations for questions worded otherwise, without a model",
  async run({ quick, progress }) {
    const seeds = Array.from({ length: quick ? 2 : 6 }, (_, index) => index + 1);
    const figures: Figure[] = [];
    for (const form of FORMS) {
      for (const [half, topics, goal] of HALVES) {
        const found: Share[] = [];
        const naive: Share[] = [];
        for (const seed of seeds) {
          const set = longConversation(half === "tuning" ? seed : seed + 100, topics);
          const [ours, plain] = await measure(set, form);
          found.push(ours);
          naive.push(plain);
          progress(`${half}, ${form}, seed ${seed}: ${describeSet(set, ours)}`);
        }
        const plainText = `plain BM25: ${format(median(naive.map(({ micro }) => micro)))} micro, ${format(median(naive.map(({ macro }) => macro)))} macro`;
        for (const mean of ["micro", "macro"] as const) {
          const ratios = found.map((share) => share[mean]);
          figures.push({
            what: `${half} half, ${form}: share of evidence in the first ${FIRST}, ${mean}`,
            ratios,
            goal: { atLeast: goal[mean] },
            detail: `${format(median(ratios))}; ${plainText}`,
          });
        }
      }
    }
    return figures;
  },
};

const HALVES: readonly (readonly ["tuning" | "held-out", readonly Topic[], { micro: number; macro: number }])[] = [
  ["tuning", TUNING_TOPICS, { micro: 0.64, macro: 0.77 }],
  ["held-out", HELD_OUT_TOPICS, { micro: 0.64, macro: 0.77 }],
];

interface Share {
  /** Of all evidence together. */
  readonly micro: number;
  /** The mean of all questions. */
  readonly macro: number;
  readonly byKind: Readonly<Record<string, number>>;
}

async function measure({ sessions, questions }: LongConversation, form: Form): Promise<readonly [Share, Share]> {
  using folder = temporaryFolder();
  using index = openMemoryIndex(join(folder.path, "memory.db"), systemClock);
  using plain = openNaiveSearch(join(folder.path, "naive.db"));
  const memories = [];
  for (const { day, turns } of sessions) {
    const texts = turns.map(({ id, speaker, text }, position) => {
      const at = Date.parse(`${day}T10:00:00Z`) + position * 60_000;
      if (form === "memory") return personalText(id, `${speaker}: ${text}`, { tier: "archive", at });
      return personalText(id, text, { kind: "conversation", tier: "archive", source: speaker, id: null, at });
    });
    if (form === "memory") memories.push(...texts);
    else await index.put(AGENT, `conversations/${day}.md`, "1", texts);
    plain.add(turns.map(({ id, speaker, text }) => ({ agent: AGENT, id, text: `${speaker}: ${text}` })));
  }
  if (form === "memory") await index.put(AGENT, "memory/learned.yaml", "1", memories);
  const ours = await shareOf(questions, async (question) => {
    const texts = await index.search(AGENT, question, { limit: FIRST, now: NOW });
    return (texts ?? []).map(({ key }) => key);
  });
  return [ours, await shareOf(questions, async (question) => plain.find(AGENT, question, FIRST))];
}

async function shareOf(
  questions: readonly AskedLater[],
  search: (question: string) => Promise<readonly string[]>,
): Promise<Share> {
  let [all, hits] = [0, 0];
  const shares: { kind: string; share: number }[] = [];
  for (const { kind, question, evidence } of questions) {
    const found = await search(question);
    const hit = evidence.filter((id) => found.includes(id)).length;
    all += evidence.length;
    hits += hit;
    shares.push({ kind, share: hit / evidence.length });
  }
  const mean = (of: typeof shares): number => of.reduce((sum, { share }) => sum + share, 0) / of.length;
  const byKind = Object.fromEntries(
    QUESTION_KINDS.map((kind) => [kind, mean(shares.filter((each) => each.kind === kind))]),
  );
  return { micro: hits / all, macro: mean(shares), byKind };
}

function describeSet({ sessions, questions }: LongConversation, { byKind }: Share): string {
  const turns = new Map(sessions.flatMap((session) => session.turns.map((turn) => [turn.id, turn.text])));
  const pairs = questions.flatMap(({ question, evidence }) =>
    evidence.map((id) => [question, turns.get(id) ?? ""] as const),
  );
  const foreign = pairs.filter(([question, text]) => {
    const terms = new Set(termsOf(question));
    return !termsOf(text).some((term) => terms.has(term));
  });
  const kinds = Object.entries(byKind).map(([kind, share]) => `${kind} ${format(share)}`);
  return `${questions.length} questions about ${turns.size} turns, ${Math.round((100 * foreign.length) / pairs.length)} % of the evidence shares no word; ${kinds.join(", ")}`;
}
