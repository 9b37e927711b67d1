import { PERSON } from "../../domain/message/message.ts";
import { extractSummary, type SummarySource } from "../../domain/summary/extract-summary.ts";
import { timeText } from "../context/message-text.ts";
import type { EarlierMessages, MessageSummary, PromptMessage } from "../context/prompt-input.ts";

/** So many messages are summarised together, and so many summaries by one of the next level. */
export const PART_MESSAGES = 50;
export const PART_SUMMARIES = 10;
/** Length of a summary. */
export const SUMMARY_CHARS = 1200;

const SOURCES = new WeakMap<PromptMessage, SummarySource>();

/** Returns who said what, where the reader of a summary finds it again: at a sequence number, or at a time. */
export function sourceOf(message: PromptMessage): SummarySource {
  const cached = SOURCES.get(message);
  if (cached !== undefined) return cached;
  const { seq, at, from, onBehalfOf, body } = message;
  const place = seq ?? (at === null ? null : timeText(at).slice(0, "YYYY-MM-DDTHH:MM".length).replace("T", " "));
  const source = { label: `${place === null ? "" : `${place} `}${onBehalfOf ?? from}`, body };
  SOURCES.set(message, source);
  return source;
}

/** The place of a message in the order of its space; null when a person wrote an invalid time into a file. */
export function positionOf({ seq, at }: Pick<PromptMessage, "seq" | "at">, by: EarlierMessages["by"]): number | null {
  return by === "seq" ? seq : at;
}

/** Whose words messages are, each once. What a schedule posts is the person's. */
export function sendersOf(messages: readonly PromptMessage[]): string[] {
  return [
    ...new Set(messages.map(({ kind, from, onBehalfOf }) => (kind === "prompt" ? PERSON : (onBehalfOf ?? from)))),
  ];
}

/** Summarises messages by rules, in parts of `PART_MESSAGES`. */
export function extractParts(messages: readonly PromptMessage[], by: EarlierMessages["by"]): MessageSummary[] {
  const parts: MessageSummary[] = [];
  for (let start = 0; start < messages.length; start += PART_MESSAGES) {
    const part = messages.slice(start, start + PART_MESSAGES);
    const positions = part.flatMap((message) => positionOf(message, by) ?? []);
    const [from, to] = [positions[0], positions.at(-1)];
    if (from === undefined || to === undefined) continue;
    const text = extractSummary(part.map(sourceOf), SUMMARY_CHARS);
    parts.push({ from, to, messages: part.length, text, model: null, failure: null, senders: sendersOf(part) });
  }
  return parts;
}
