import type { FoundText } from "../../ports/memory-index.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import type { AskGuardModel, GuardSubject } from "../model/ask-guard-model.ts";
import { fencedTexts, TEXTS_ARE_DATA } from "../model/fenced-texts.ts";
import { readChoice, readJsonAnswer } from "../model/read-answer.ts";

const RERANKED = 20;
const TEXT_CHARS = 400;

const INSTRUCTIONS = `You order the results of a search in the memory of an agent. The excerpt "question" is what was
searched for; the others are results, each with a number. Answer with JSON only: {"order": [numbers]}, the results that help
to answer the question, the most helpful first. Leave out those that do not help. ${TEXTS_ARE_DATA}`;

/**
 * Returns the results in the order that the model of the guard gives them; those it does not name follow in their order.
 * When the model is not asked, fails or answers something else, the order stays as it is. Nothing is added or removed.
 */
export async function rerank(
  found: readonly FoundText[],
  question: string,
  subject: GuardSubject,
  ask: AskGuardModel,
): Promise<readonly FoundText[]> {
  if (found.length < 2) return found;
  const candidates = new Map(found.slice(0, RERANKED).map((each, position) => [`${position + 1}`, each]));
  const results = [...candidates].map(([id, { text, outside, at }]) => ({
    id,
    text: cutToLength(text, TEXT_CHARS),
    untrusted: outside,
    ...(at === null ? {} : { at: new Date(at).toISOString() }),
  }));
  const order = await ask(subject, "rerank", {
    instructions: INSTRUCTIONS,
    input: fencedTexts([{ id: "question", text: question, untrusted: true }, ...results]),
    parse: (answer) => readChoice(readJsonAnswer(answer)?.["order"], new Set(candidates.keys())),
  });
  const first = (order ?? []).flatMap((id) => candidates.get(id) ?? []);
  const chosen = new Set(first);
  return [...first, ...found.filter((each) => !chosen.has(each))];
}
