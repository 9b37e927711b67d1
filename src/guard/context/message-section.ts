import { extractParts, positionOf } from "../summary/summary-source.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { messageName } from "./message-item.ts";
import { joinLists, messageList, splitNewest, takeOut, type MessageList } from "./message-list.ts";
import { timeText } from "./message-text.ts";
import type { EarlierMessages, MessageSummary, PromptInput, PromptMessage } from "./prompt-input.ts";
import { leftOut, MAX_NAMES, type LeftOut } from "./prompt-receipt.ts";
import { promptPiece, sharedPiece, type PromptPiece } from "./prompt-piece.ts";
import { GAP, promptSection, sectionOf, type PromptSection } from "./prompt-section.ts";
import { attributesText, section, type Attributes } from "./section-markup.ts";
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
  const inInbox = inbox.map(({ message }) => message);
  const { taken, rest: list } = takeOut(messageList(place.recent), inInbox);
  const below = leftOut("inbox", taken.map(messageName));
  const isWhole = !earlier.more && earlier.summaries.every(({ from }) => !isBefore(list, earlier.by, from));
  if (isWhole && (list.count === 0 || list.tokens + frameTokens(part, {}) <= left)) {
    const pieces = list.count === 0 ? [] : framed(part, {}, [], list);
    return sectionOf(part, pieces, shownFacts(list, below));
  }
  return shortenedSection(input, { part, earlier, list, below }, left);
}

type Part = "channel" | "conversation";

interface Messages {
  readonly part: Part;
  readonly earlier: EarlierMessages;
  readonly list: MessageList;
  readonly below: readonly LeftOut[];
}

function shortenedSection(input: PromptInput, given: Messages, left: number): PromptSection {
  const { part, earlier, list, below } = given;
  const widest = attributesOf(input, given, {
    omitted: Math.max(earlier.total ?? 0, WIDEST),
    first: WIDEST,
    atLeast: true,
  });
  const room = left - frameTokens(part, widest);
  const forSummaries = Math.min(SUMMARY_TOKENS, Math.floor(room * SUMMARY_SHARE));
  const least = splitNewest(list, room - forSummaries);
  const planned = summariesFor(earlier, least.older, least.newest, room <= 0 ? 0 : forSummaries);
  const unused = room - least.newest.tokens - planned.tokens;
  const further = splitNewest(least.older, unused);
  const shown = further.newest.count === 0 ? least.newest : joinLists(further.newest, least.newest);
  // What summaries leave goes to messages, which need no summary any more.
  const { parts, blocks } =
    further.newest.count === 0 ? planned : summariesFor(earlier, further.older, shown, planned.tokens);

  const { omitted, atLeast } = countOmitted(input, given, shown.count);
  const names = namesFromEnd(further.older);
  const all = [...below, ...(omitted === 0 ? [] : [{ reason: "budget", count: omitted, names } as const])];
  if (room < 0 || (shown.count === 0 && blocks.length === 0 && omitted === 0)) {
    return promptSection(part, "", { leftOut: all });
  }
  const first = parts[0]?.from ?? positionOf(firstOf(list) ?? NOBODY, earlier.by) ?? 0;
  const attributes = omitted === 0 ? {} : attributesOf(input, given, { omitted, first, atLeast });
  const made = sectionOf(part, framed(part, attributes, blocks, shown), {
    ...shownFacts(shown, all),
    notes: notesOf(parts, earlier.by),
  });
  const oldest = positionOf(firstOf(shown) ?? NOBODY, earlier.by);
  return omitted === 0 ? made : { ...made, shownFrom: oldest ?? Number.MAX_SAFE_INTEGER };
}

const WIDEST = 9_999_999_999;
const NOBODY: Pick<PromptMessage, "seq" | "at"> = { seq: null, at: null };

function firstOf({ blocks }: MessageList): PromptMessage | undefined {
  return blocks[0]?.messages[0];
}

/** The summaries of what is not shown, within these tokens. */
function summariesFor(earlier: EarlierMessages, older: MessageList, shown: MessageList, tokens: number) {
  const shownFrom = positionOf(firstOf(shown) ?? NOBODY, earlier.by) ?? Number.POSITIVE_INFINITY;
  const parts = summariesBefore(earlier, older, shownFrom);
  const blocks = tokens <= 0 ? [] : summaryBlocks(parts, { by: earlier.by, shownFrom }, tokens);
  return { parts, blocks, tokens: blocks.reduce((sum, text) => sum + estimateTokens(`${text}\n`), 0) };
}

/** The summaries of the messages before the shown ones. Those that none covers yet are summarised here, by rules. */
function summariesBefore(
  { by, summaries }: EarlierMessages,
  older: MessageList,
  shownFrom: number,
): readonly MessageSummary[] {
  const covering = summaries.filter(({ from }) => from < shownFrom);
  const covered = covering.at(-1)?.to ?? Number.NEGATIVE_INFINITY;
  const isCovered = (message: Pick<PromptMessage, "seq" | "at">): boolean =>
    (positionOf(message, by) ?? covered) <= covered;
  // Sequence numbers ascend, so the last one of a block speaks for all.
  const open = older.blocks.filter(({ messages }) => by === "time" || !isCovered(messages.at(-1) ?? NOBODY));
  const uncovered = open.flatMap(({ messages }) => messages.filter((message) => !isCovered(message)));
  return [...covering, ...extractParts(uncovered, by)];
}

/** How many messages are not shown. `atLeast`: there are more that nobody has counted yet. */
function countOmitted({ inbox }: PromptInput, { earlier, list }: Messages, shown: number) {
  const { by, total, more, summaries } = earlier;
  if (total !== null) return { omitted: Math.max(list.count - shown, total - inbox.length - shown), atLeast: false };
  const end = summaries.at(-1)?.to ?? null;
  if (end === null) return { omitted: list.count - shown + (more ? 1 : 0), atLeast: more };
  const isAfter = (message: PromptMessage): boolean => (positionOf(message, by) ?? end) > end;
  const summarised = summaries.reduce((sum, { messages: count }) => sum + count, 0);
  const later = list.blocks.reduce((sum, { messages }) => sum + messages.filter(isAfter).length, 0);
  const hasGap = more && later === list.count;
  const known = Math.max(list.count - shown, summarised + later - shown);
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

function shownFacts(list: MessageList, omitted: readonly LeftOut[]) {
  return {
    items: list.count,
    names: namesFromEnd(list),
    leftOut: [
      ...omitted,
      ...leftOut(
        "shortened",
        list.blocks.flatMap(({ shortened }) => shortened),
      ),
    ],
  };
}

/** The newest first, as many as a receipt names. */
function namesFromEnd({ blocks }: MessageList): readonly string[] {
  const names: string[] = [];
  for (let at = blocks.length - 1; at >= 0 && names.length < MAX_NAMES; at -= 1) {
    names.push(...(blocks[at]?.items.map(({ name }) => name).toReversed() ?? []));
  }
  return names.slice(0, MAX_NAMES);
}

function framed(
  part: Part,
  attributes: Attributes,
  summaries: readonly string[],
  { blocks }: MessageList,
): readonly PromptPiece[] {
  const opening = promptPiece(`<${part}${attributesText(attributes)}>\n`);
  const earlier = summaries.map((text) => sharedPiece(`${text}\n`));
  // Each summary and each block ends its last line.
  const closing = promptPiece(earlier.length + blocks.length === 0 ? `\n</${part}>` : `</${part}>`);
  return [opening, ...earlier, ...blocks.map(({ piece }) => piece()), closing];
}

function frameTokens(part: Part, attributes: Attributes): number {
  return estimateTokens(section(part, attributes, "") + GAP);
}

/** Whether something at this position is before all of these messages. */
function isBefore(list: MessageList, by: EarlierMessages["by"], position: number): boolean {
  const first = positionOf(firstOf(list) ?? NOBODY, by);
  return first === null || position < first;
}
