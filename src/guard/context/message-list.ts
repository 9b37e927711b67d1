import { messageItem, type MessageItem } from "./message-item.ts";
import type { PromptMessage } from "./prompt-input.ts";
import { promptPiece, sharedPiece, type PromptPiece } from "./prompt-piece.ts";

/**
 * Consecutive messages of a place. Each prompt of a busy channel shows hundreds of messages, and nearly all of them were in
 * the prompt before: so a prompt is made of blocks, and what is known about a block is found out once.
 */
export interface MessageBlock {
  readonly messages: readonly PromptMessage[];
  readonly items: readonly MessageItem[];
  readonly tokens: number;
  /** Whose words are in it, each once. */
  readonly senders: readonly string[];
  /** Names of the messages that are not shown whole. */
  readonly shortened: readonly string[];
  /** Its text, a line break after each message. */
  readonly piece: () => PromptPiece;
}

export interface MessageList {
  /** Oldest first. */
  readonly blocks: readonly MessageBlock[];
  /** How many messages. */
  readonly count: number;
  readonly tokens: number;
}

const NO_MESSAGES: MessageList = { blocks: [], count: 0, tokens: 0 };

const SENDERS = new WeakMap<MessageList, readonly string[]>();

/** Whose words are in a list, each once, in their order. */
export function sendersIn(list: MessageList): readonly string[] {
  const known = SENDERS.get(list);
  if (known !== undefined) return known;
  const senders = [...new Set(list.blocks.flatMap((block) => block.senders))];
  SENDERS.set(list, senders);
  return senders;
}

const LISTS = new WeakMap<readonly PromptMessage[], MessageList>();

/** Returns the messages in blocks. Cached by the list, because messages never change. */
export function messageList(messages: readonly PromptMessage[]): MessageList {
  const known = LISTS.get(messages);
  if (known !== undefined) return known;
  return remember(messages, listOf(cutIntoBlocks(messages, true)));
}

/** The same for a list that begins with another one: its blocks are used again. */
export function addToList(before: readonly PromptMessage[], messages: readonly PromptMessage[]): void {
  const { blocks } = messageList(before);
  const whole = blocks.slice(0, -1);
  const rest = messages.slice(whole.reduce((sum, block) => sum + block.messages.length, 0));
  remember(messages, listOf([...whole, ...cutIntoBlocks(rest, true)]));
}

/** Removes whole blocks from the beginning, as long as more than `tokens` remain. Returns the messages that remain. */
export function dropOldest(messages: readonly PromptMessage[], tokens: number): readonly PromptMessage[] {
  const { blocks, tokens: all } = messageList(messages);
  let left = all;
  let dropped = 0;
  let count = 0;
  for (const block of blocks) {
    if (left - block.tokens < tokens) break;
    left -= block.tokens;
    dropped += 1;
    count += block.messages.length;
  }
  if (dropped === 0) return messages;
  const rest = messages.slice(count);
  remember(rest, listOf(blocks.slice(dropped)));
  return rest;
}

/** Splits a list: the longest end that fits into these tokens, and the messages before it. */
export function splitNewest(list: MessageList, tokens: number): { older: MessageList; newest: MessageList } {
  let left = tokens;
  for (let at = list.blocks.length - 1; at >= 0; at -= 1) {
    const block = list.blocks[at];
    if (block === undefined) break;
    if (block.tokens <= left) {
      left -= block.tokens;
      continue;
    }
    const fitting = countFitting(block.items, left);
    const cut = block.messages.length - fitting;
    const [before, after] = [block.messages.slice(0, cut), block.messages.slice(cut)];
    return {
      older: listOf([...list.blocks.slice(0, at), ...partOf(before)]),
      newest: listOf([...partOf(after), ...list.blocks.slice(at + 1)]),
    };
  }
  return left < 0 ? { older: list, newest: NO_MESSAGES } : { older: NO_MESSAGES, newest: list };
}

export function joinLists(first: MessageList, second: MessageList): MessageList {
  return listOf([...first.blocks, ...second.blocks]);
}

/** Takes messages out of a list by their ids. */
export function takeOut(
  list: MessageList,
  wanted: readonly PromptMessage[],
): { readonly taken: readonly PromptMessage[]; readonly rest: MessageList } {
  const ids = new Set(wanted.flatMap(({ id }) => id ?? []));
  const taken: PromptMessage[] = [];
  const isTaken = ({ id }: PromptMessage): boolean => id !== null && ids.has(id);
  const blocks = list.blocks.flatMap((block) => {
    if (!wanted.some(({ seq }) => mayHave(block, seq))) return block;
    const found = block.messages.filter(isTaken);
    if (found.length === 0) return block;
    taken.push(...found);
    return partOf(block.messages.filter((message) => !isTaken(message)));
  });
  return taken.length === 0 ? { taken, rest: list } : { taken, rest: listOf(blocks) };
}

/** Sequence numbers of a block ascend. */
function mayHave({ messages }: MessageBlock, seq: number | null): boolean {
  const [first, last] = [messages[0]?.seq ?? null, messages.at(-1)?.seq ?? null];
  return seq === null || first === null || last === null || (first <= seq && seq <= last);
}

function countFitting(items: readonly MessageItem[], tokens: number): number {
  let count = 0;
  for (let left = tokens; count < items.length; count += 1) {
    left -= items[items.length - 1 - count]?.tokens ?? 0;
    if (left < 0) break;
  }
  return count;
}

function remember(messages: readonly PromptMessage[], list: MessageList): MessageList {
  LISTS.set(messages, list);
  return list;
}

function listOf(blocks: readonly MessageBlock[]): MessageList {
  let count = 0;
  let tokens = 0;
  for (const block of blocks) {
    count += block.messages.length;
    tokens += block.tokens;
  }
  return { blocks, count, tokens };
}

function partOf(messages: readonly PromptMessage[]): readonly MessageBlock[] {
  return messages.length === 0 ? [] : [blockOf(messages, false)];
}

/**
 * Cuts where the messages themselves say, so that the same messages are the same blocks wherever a list begins. The last
 * block may still grow, so nothing is kept about it elsewhere.
 */
function cutIntoBlocks(messages: readonly PromptMessage[], lastIsOpen: boolean): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  let start = 0;
  for (let at = 1; at < messages.length; at += 1) {
    if (!beginsBlock(messages[at]) && at - start < MOST_IN_BLOCK) continue;
    blocks.push(blockOf(messages.slice(start, at), true));
    start = at;
  }
  if (start < messages.length) blocks.push(blockOf(messages.slice(start), !lastIsOpen));
  return blocks;
}

const MOST_IN_BLOCK = 64;
/** One message of sixteen begins a block. Sequence numbers are multiplied, because some spaces only have every second one. */
function beginsBlock(message: PromptMessage | undefined): boolean {
  return Math.imul(message?.seq ?? message?.at ?? 0, 0x9e3779b1) >>> 28 === 0;
}

function blockOf(messages: readonly PromptMessage[], shared: boolean): MessageBlock {
  const items = messages.map(messageItem);
  const pieceOf = shared ? sharedPiece : promptPiece;
  let piece: PromptPiece | undefined;
  return {
    messages,
    items,
    tokens: items.reduce((sum, { tokens }) => sum + tokens, 0),
    senders: [...new Set(messages.map(({ from, onBehalfOf }) => onBehalfOf ?? from))],
    shortened: items.filter(({ shortened }) => shortened).map(({ name }) => name),
    piece: () => (piece ??= pieceOf(items.map(({ text }) => `${text}\n`).join(""))),
  };
}
