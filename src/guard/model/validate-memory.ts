import { cutToTokens } from "../context/estimate-tokens.ts";
import type { GuardQuestion } from "./ask-guard-model.ts";
import { fencedTexts, fitTexts, TEXTS_ARE_DATA, type FencedText } from "./fenced-texts.ts";
import { readJsonAnswer, readText } from "./read-answer.ts";

export type MemoryDecision = { readonly keep: true } | { readonly keep: false; readonly reason: string };

interface MemoryDraft {
  readonly key: string;
  readonly text: string;
  /** The run has read untrusted content. */
  readonly outside: boolean;
  /** What the run has read, the most important first. */
  readonly evidence: readonly FencedText[];
}

const EVIDENCE_TOKENS = 6000;
const TEXT_TOKENS = 1500;
const LONGEST_REASON = 200;

const INSTRUCTIONS = [
  'You watch over what an agent remembers. It wants to store the excerpt with the id "memory". The other excerpts are ' +
    "what it has read in this conversation.",
  TEXTS_ARE_DATA,
  "Decide two things. Is it worth remembering: a fact, a decision or a preference that will matter later? Is it true to " +
    "what was said: does it add nothing, turn nothing around, and not present a claim of somebody as a fact? Something " +
    "that the excerpts do not mention may still be right, because the agent may know it from elsewhere: keep it.",
  'Answer with one JSON object and nothing else: {"keep": true} or {"keep": false, "reason": "why not, in a short sentence"}.',
].join("\n\n");

/** Asks whether a memory is worth storing and true to what was said. */
export function memoryQuestion({ key, text, outside, evidence }: MemoryDraft): GuardQuestion<MemoryDecision> {
  const draft = { id: "memory", text: cutToTokens(`${key}: ${text}`, TEXT_TOKENS), untrusted: outside };
  return {
    instructions: INSTRUCTIONS,
    input: fencedTexts([...fitTexts(evidence, EVIDENCE_TOKENS).toReversed(), draft]),
    parse: readDecision,
  };
}

function readDecision(answer: string): MemoryDecision | undefined {
  const { keep, reason } = readJsonAnswer(answer) ?? {};
  if (keep === true) return { keep };
  const text = readText(reason, LONGEST_REASON);
  return keep === false && text !== undefined ? { keep, reason: text.replace(/\s+/g, " ") } : undefined;
}
