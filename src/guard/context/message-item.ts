import { cutToLength } from "./estimate-tokens.ts";
import { messageText, timeText } from "./message-text.ts";
import type { PromptMessage } from "./prompt-input.ts";
import { itemTokens, type Item } from "./prompt-section.ts";

/** A longer message is shortened where it is shown as one of many. */
const MOST_CHARS = 2000;

export type MessageItem = Item & { readonly tokens: number; readonly shortened: boolean };

/** Cached by object: a message is shown in many prompts. */
const ITEMS = new WeakMap<PromptMessage, MessageItem>();

/** Returns a message as the channel or the conversation of a prompt shows it. */
export function messageItem(message: PromptMessage): MessageItem {
  const cached = ITEMS.get(message);
  if (cached !== undefined) return cached;
  const formatted = formatItem(message);
  const item = { ...formatted, tokens: itemTokens(formatted.text) };
  ITEMS.set(message, item);
  return item;
}

function formatItem(message: PromptMessage): Omit<MessageItem, "tokens"> {
  const { seq, body } = message;
  const beginning = cutToLength(body, MOST_CHARS);
  const name = messageName(message);
  if (beginning.length === body.length) return { name, text: messageText(message), shortened: false };
  const rest = seq === null ? "" : `; channel_read with since ${seq - 1} and limit 1 shows the whole`;
  const cut = `${body.length - beginning.length} characters left out${rest}`;
  return { name, text: messageText({ ...message, body: beginning }, { cut }), shortened: true };
}

/** How a receipt names a message. */
export function messageName({ id, from, at }: PromptMessage): string {
  return id ?? (at === null ? from : `${from} ${timeText(at)}`);
}
