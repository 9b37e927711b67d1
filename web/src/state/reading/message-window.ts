import type { MessageView } from "../../../../src/contract/messages.ts";
import { mergeMessages } from "../message-list.ts";

/** The part of a channel that the page holds, whatever the channel has. */
export interface MessageWindow {
  readonly messages: readonly MessageView[];
  /** There may be messages before the first, and after the last. */
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
}

export const PAGE_MESSAGES = 40;
/**
 * More than fill a large screen, and few enough that the page stays light.
 *
 * @internal
 */
export const MOST_MESSAGES = 120;

/** Adds messages before the first. What no longer fits is dropped at the end, and loaded again on the way back. */
export function withEarlier(window: MessageWindow, page: readonly MessageView[], limit: number): MessageWindow {
  const all = mergeMessages(window.messages, page);
  const messages = all.slice(0, MOST_MESSAGES);
  return {
    messages,
    hasEarlier: page.length === limit,
    hasLater: window.hasLater || messages.length < all.length,
  };
}

/** Adds messages after the last, and drops what no longer fits at the beginning. */
export function withLater(window: MessageWindow, page: readonly MessageView[], limit: number): MessageWindow {
  const all = mergeMessages(window.messages, page);
  const messages = all.slice(-MOST_MESSAGES);
  return {
    messages,
    hasEarlier: window.hasEarlier || messages.length < all.length,
    hasLater: page.length === limit,
  };
}
