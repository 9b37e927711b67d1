import type { MemoryEntry } from "../../ports/personal-context.ts";
import { rankShared, type SharedSummary } from "../memory/shared-summary.ts";
import { knownText } from "../memory/memory-terms.ts";
import { isUntrusted } from "../../domain/recall/untrusted-content.ts";
import type { GuardQuestion } from "./ask-guard-model.ts";
import { fencedTexts, fitTexts, TEXTS_ARE_DATA } from "./fenced-texts.ts";
import { readChoice, readJsonAnswer, readText } from "./read-answer.ts";

const MOST_ENTRIES = 40;
const ENTRY_TOKENS = 4000;
const LONGEST = 1200;

const INSTRUCTIONS = [
  'An agent asks what another agent knows. The excerpt with the id "question" is its question. The other excerpts are ' +
    "memories that the other agent shares with it.",
  TEXTS_ARE_DATA,
  "Answer the question in a few sentences, only from these memories and in their sense. Do not copy whole memories. Where " +
    "they contradict each other, the newer one counts; say so. Name the ids of the memories that you used.",
  'Answer with one JSON object and nothing else: {"summary": "...", "sources": ["1", "3"]}. When no memory is about the ' +
    'question: {"summary": "", "sources": []}.',
].join("\n\n");

/** Asks for a summary of what an agent shares about a question. */
export function summaryQuestion(shared: readonly MemoryEntry[], question: string): GuardQuestion<SharedSummary> {
  const ranked = rankShared(shared, question);
  const others = shared.filter((entry) => !ranked.includes(entry));
  const entries = [...ranked, ...others].slice(0, MOST_ENTRIES);
  const texts = entries.map((entry, index) => ({
    id: `${index + 1}`,
    ...(entry.updated === null ? {} : { at: entry.updated }),
    text: `${entry.key}: ${knownText(entry).text}`,
    untrusted: isUntrusted(entry),
  }));
  const fitting = fitTexts(texts, ENTRY_TOKENS);
  const byId = new Map(fitting.map(({ id }) => [id, entries[Number(id) - 1]]));
  return {
    instructions: INSTRUCTIONS,
    input: fencedTexts([...fitting, { id: "question", text: question, untrusted: true }]),
    parse(answer) {
      const { summary, sources } = readJsonAnswer(answer) ?? {};
      const ids = readChoice(sources, new Set(byId.keys()));
      if (ids === undefined) return undefined;
      if (summary === "" && ids.length === 0) return { lines: [], sources: [] };
      const text = readText(summary, LONGEST);
      if (text === undefined || ids.length === 0) return undefined;
      return { lines: [text], sources: ids.flatMap((id) => byId.get(id) ?? []) };
    },
  };
}
