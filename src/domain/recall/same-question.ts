import type { RecallQuery } from "./query.ts";
import { termsOf } from "./terms.ts";

const QUESTION =
  /[?？]\s*$|^\s*(?:who|whom|whose|what|when|where|which|why|how|do|does|did|is|are|was|were|can|could|will|would|has|have|had|should)\b/iu;

/** Whether a text asks something, or answers: what follows a question is likely its answer. */
export function isQuestion(text: string): boolean {
  return QUESTION.test(text);
}

/** Whether a text only asks what the query asks: it contains no answer. */
export function asksTheSame(query: RecallQuery, text: string): boolean {
  return isQuestion(text) && termsOf(text).every((term) => query.weights.has(term));
}
