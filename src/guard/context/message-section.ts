import { extractParts, positionOf } from "../summary/summary-source.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { messageItem, messageName, type MessageItem } from "./message-item.ts";
import { timeText } from "./message-text.ts";
import type { EarlierMessages, MessageSummary, PromptInput, PromptMessage } from "./prompt-input.ts";
import { leftOut, MAX_NAMES, type LeftOut } from "./prompt-receipt.ts";
import { GAP, promptSection, type PromptSection } from "./prompt-section.ts";
import { section, type Attributes } from "./section-markup.ts";
import { summaryBlocks } from "./summary-blocks.ts";

/** What summaries get of the room for messages, at most. */
const SUMMARY_SHARE = 0.25;
const SUMMARY_TOKENS = 3000;

const NOTHING_EARLIER: EarlierMessages = { by: "seq", total: null, more: false, summaries: [] };

/**
 * The channel or the conversation, without the messages of the inbox: the newest that fit, oldest first. What does not fit
 * is counted and summarised, and the section says how to read it.
 */
export function messageSection(input: PromptInput, left: number): PromptSection {
  const { place, inbox } = input;
  const part = place.kind === "workspace" ? "channel" : "conversation";
  const earlier = place.earlier ?? NOTHING_EARLIER;
  const inInbox = new Set(inbox.map(({ message }) => message.id));
  const shownBelow = place.recent.filter(({ id }) => id !== null && inInbox.has(id));
  const messages = shownBelow.length === 0 ? place.recent : place.recent.filter((each) => !shownBelow.includes(each));
  const items = messages.map(messageItem);
  const total = items.reduce((sum, { tokens }) => sum + tokens, 0);
  const below = leftOut("inbox", shownBelow.map(messageName));
  const isWhole = !earlier.more && earlier.summaries.every(({ from }) => !isBefore(messages, earlier.by, from));
  if (isWhole && (messages.length === 0 || total + frameTokens(part, {}) <= left)) {
    return promptSection(part, messages.length === 0 ? "" : framed(part, {}, items), {
      ...shownFacts(items, below),
    });
  }
  return shortenedSection(input, { part, earlier, messages, items, below }, left);
}

type Part = "channel" | "conversation";

interface Messages {
  readonly part: Part;
  readonly earlier: EarlierMessages;
  /** Oldest first, and each with its item. */
  readonly messages: readonly PromptMessage[];
  readonly items: readonly MessageItem[];
  readonly below: readonly LeftOut[];
}

function shortenedSection(input: PromptInput, given: Messages, left: number): PromptSection {
  const { part, earlier, messages, items, below } = given;
  const widest = attributesOf(input, given, {
    omitted: Math.max(earlier.total ?? 0, WIDEST),
    first: WIDEST,
    atLeast: true,
  });
  const room = left - frameTokens(part, widest);
  const forSummaries = Math.min(SUMMARY_TOKENS, Math.floor(room * SUMMARY_SHARE));
  const least = countFitting(items, items.length, room - forSummaries);
  const planned = summariesFor(given, least, room <= 0 ? 0 : forSummaries);
  const unused = room - tokensOf(items.slice(items.length - least)) - planned.tokens;
  const shown = least + countFitting(items, items.length - least, unused);
  // What summaries leave goes to messages, which need no summary any more.
  const { parts, blocks } = shown === least ? planned : summariesFor(given, shown, planned.tokens);

  const { omitted, atLeast } = countOmitted(input, given, shown);
  const missing = items.slice(0, items.length - shown);
  const names = missing
    .toReversed()
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
  const all = [...below, ...(omitted === 0 ? [] : [{ reason: "budget", count: omitted, names } as const])];
  const chosen = items.slice(items.length - shown);
  if (room < 0 || (chosen.length === 0 && blocks.length === 0 && omitted === 0)) {
    return promptSection(part, "", { leftOut: all });
  }
  const first = parts[0]?.from ?? positionOf(messages[0] ?? NOBODY, earlier.by) ?? 0;
  const attributes = omitted === 0 ? {} : attributesOf(input, given, { omitted, first, atLeast });
  const made = promptSection(part, framed(part, attributes, [...blocks.map((text) => ({ text })), ...chosen]), {
    ...shownFacts(chosen, all),
    notes: notesOf(parts, earlier.by),
  });
  const oldest = positionOf(messages[messages.length - shown] ?? NOBODY, earlier.by);
  return omitted === 0 ? made : { ...made, shownFrom: oldest ?? Number.MAX_SAFE_INTEGER };
}

const WIDEST = 9_999_999_999;
const NOBODY: Pick<PromptMessage, "seq" | "at"> = { seq: null, at: null };

/** How many items before `end` fit, from the newest to the first that does not. */
function countFitting(items: readonly MessageItem[], end: number, tokens: number): number {
  let count = 0;
  for (let left = tokens; count < end; count += 1) {
    left -= items[end - 1 - count]?.tokens ?? 0;
    if (left < 0) break;
  }
  return count;
}

function tokensOf(items: readonly MessageItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The summaries of what is not shown, within these tokens. */
function summariesFor(given: Messages, shown: number, tokens: number) {
  const { earlier, messages } = given;
  const firstShown = messages.length - shown;
  const shownFrom = positionOf(messages[firstShown] ?? NOBODY, earlier.by) ?? Number.POSITIVE_INFINITY;
  const parts = summariesBefore(given, firstShown, shownFrom);
  const blocks = tokens <= 0 ? [] : summaryBlocks(parts, { by: earlier.by, shownFrom }, tokens);
  return { parts, blocks, tokens: blocks.reduce((sum, text) => sum + estimateTokens(`${text}\n`), 0) };
}

/** The summaries of the messages before the shown ones. Those that none covers yet are summarised here, by rules. */
function summariesBefore(
  { earlier, messages }: Messages,
  firstShown: number,
  shownFrom: number,
): readonly MessageSummary[] {
  const { by, summaries } = earlier;
  const covering = summaries.filter(({ from }) => from < shownFrom);
  const covered = covering.at(-1)?.to ?? Number.NEGATIVE_INFINITY;
  const uncovered = messages.slice(0, firstShown).filter((message) => (positionOf(message, by) ?? covered) > covered);
  return [...covering, ...extractParts(uncovered, by)];
}

/** How many messages are not shown. `atLeast`: there are more that nobody has counted yet. */
function countOmitted({ inbox }: PromptInput, { earlier, messages }: Messages, shown: number) {
  const { by, total, more, summaries } = earlier;
  if (total !== null)
    return { omitted: Math.max(messages.length - shown, total - inbox.length - shown), atLeast: false };
  const end = summaries.at(-1)?.to ?? null;
  if (end === null) return { omitted: messages.length - shown + (more ? 1 : 0), atLeast: more };
  const isAfter = (message: PromptMessage): boolean => (positionOf(message, by) ?? end) > end;
  const summarised = summaries.reduce((sum, { messages: count }) => sum + count, 0);
  const later = messages.filter(isAfter).length;
  const hasGap = more && later === messages.length;
  const known = Math.max(messages.length - shown, summarised + later - shown);
  return { omitted: known + (hasGap ? 1 : 0), atLeast: hasGap };
}

interface Omission {
  readonly omitted: number;
  /** Where the first of them is. */
  readonly first: number;
  readonly atLeast: boolean;
}

function attributesOf(
  { tools }: PromptInput,
  { part, earlier }: Messages,
  { omitted, first, atLeast }: Omission,
): Attributes {
  const from = earlier.by === "time" ? timeText(Math.min(first, LAST_TIME)) : first;
  return {
    omitted: atLeast ? `at least ${omitted}` : omitted,
    from,
    read: howToRead(part, tools, earlier.by === "seq" ? Math.max(0, first - 1) : null),
  };
}

/** The last time that has four digits for its year. */
const LAST_TIME = Date.UTC(9999, 11, 31);

function howToRead(part: Part, tools: readonly string[], since: number | null): string | null {
  if (part === "channel") {
    return since !== null && tools.includes("channel_read") ? `channel_read with since ${since} and limit 50` : null;
  }
  return tools.includes("memory_recall") ? "memory_recall finds them" : null;
}

function notesOf(parts: readonly MessageSummary[], by: EarlierMessages["by"]): readonly string[] {
  return parts.slice(-MAX_NAMES).map(({ from, to, model, failure }) => {
    const range = by === "seq" ? `${from}-${to}` : `${timeText(from)} to ${timeText(to)}`;
    const failed = failure === null ? "" : `, because the model failed: ${failure}`;
    return `messages ${range} summarised by ${model ?? "rules"}${failed}`;
  });
}

function shownFacts(items: readonly MessageItem[], omitted: readonly LeftOut[]) {
  const long = items.filter(({ shortened }) => shortened).map(({ name }) => name);
  const newest = items.slice(-MAX_NAMES).toReversed();
  return {
    items: items.length,
    names: newest.map(({ name }) => name),
    leftOut: [...omitted, ...leftOut("shortened", long)],
  };
}

function framed(part: Part, attributes: Attributes, items: readonly { readonly text: string }[]): string {
  return section(part, attributes, items.map(({ text }) => text).join("\n"));
}

function frameTokens(part: Part, attributes: Attributes): number {
  return estimateTokens(section(part, attributes, "") + GAP);
}

/** Whether something at this position is before all of these messages. */
function isBefore(messages: readonly PromptMessage[], by: EarlierMessages["by"], position: number): boolean {
  const first = positionOf(messages[0] ?? NOBODY, by);
  return first === null || position < first;
}
