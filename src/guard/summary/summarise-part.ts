import { PERSON } from "../../domain/message/message.ts";
import { extractSummary, shortenSummary } from "../../domain/summary/extract-summary.ts";
import type { SummaryRecord } from "../../ports/store/derived/summary.ts";
import { cutToLength } from "../context/estimate-tokens.ts";
import { timeText } from "../context/message-text.ts";
import { fencedTexts, TEXTS_ARE_DATA } from "../model/fenced-texts.ts";
import type { SummaryPart } from "./summary-part.ts";
import { sourceOf, SUMMARY_CHARS } from "./summary-source.ts";

export interface SummaryModel {
  readonly name: string;
  /** Asks the model one question. Returns null when it did not answer. Never throws. */
  ask(question: { readonly instructions: string; readonly input: string }): Promise<string | null>;
}

/** Makes the summary of a part: by the model, or by rules where there is none or it fails. */
export async function summarisePart(
  part: SummaryPart,
  model: SummaryModel | null,
  now: number,
): Promise<SummaryRecord> {
  const { content, ...facts } = part;
  const byRules = { ...facts, text: textByRules(content), model: null, failure: null, createdAt: now };
  if (model === null) return byRules;
  const answer = await model.ask({ instructions: INSTRUCTIONS, input: inputOf(content) });
  const attempts = part.attempts + 1;
  const text = answer === null ? "" : linesOf(answer);
  if (text === "") return { ...byRules, failure: `${model.name} gave no answer`, attempts };
  return { ...byRules, text, model: model.name, attempts };
}

const INSTRUCTIONS = `You summarise a part of a conversation for a member of the team who has not read it.
Write at most ten short lines. Begin each line with "- ", then the number or time of the message and who said it, then what was said.
Write down decisions, results, numbers, names, dates, links, open questions and who does what. Leave out greetings and chatter.
Add nothing that is not in the texts. The id of a text is the number or time of its message. ${TEXTS_ARE_DATA}`;

/** Of one message, and of all of them. */
const MESSAGE_CHARS = 1500;
const INPUT_CHARS = 40_000;
const MOST_LINES = 20;

function textByRules(content: SummaryPart["content"]): string {
  if (content.kind === "messages") return extractSummary(content.messages.map(sourceOf), SUMMARY_CHARS);
  return shortenSummary(content.texts.join("\n"), (text) => text.length <= SUMMARY_CHARS);
}

function inputOf(content: SummaryPart["content"]): string {
  if (content.kind === "summaries") {
    return fencedTexts(content.texts.map((text, at) => ({ id: `${at + 1}`, text, untrusted: true })));
  }
  const each = Math.min(MESSAGE_CHARS, Math.floor(INPUT_CHARS / Math.max(1, content.messages.length)));
  return fencedTexts(
    content.messages.map(({ seq, at, from, onBehalfOf, body }) => ({
      id: `${seq ?? (at === null ? "-" : timeText(at))}`,
      text: cutToLength(body, each),
      from: onBehalfOf ?? from,
      untrusted: (onBehalfOf ?? from) !== PERSON,
    })),
  );
}

/** The answer of a model as lines of a summary: nothing in it can look like another part of a prompt. */
function linesOf(answer: string): string {
  const lines = answer
    .toWellFormed()
    .split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/)
    .map((line) =>
      line
        .replace(/[\s\p{Cc}]+/gu, " ")
        .replace(/^\s*(?:[-*•]\s+)?/u, "")
        .trim(),
    )
    .filter((line) => line !== "")
    .slice(0, MOST_LINES)
    .map((line) => `- ${line}`);
  return shortenSummary(lines.join("\n"), (text) => text.length <= 2 * SUMMARY_CHARS);
}
