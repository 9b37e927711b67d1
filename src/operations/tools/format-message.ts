import type { MessageView } from "../../contract/messages.ts";
import { messageText } from "../../guard/context/message-text.ts";

/** Formats a message for a tool result as in prompts, so that no text can be mistaken for another sender's. */
export function formatMessage(view: MessageView, more: Readonly<Record<string, string>> = {}): string {
  const { id, seq, from, onBehalfOf, to, kind, content, resource, at } = view;
  return messageText({ id, seq, from, onBehalfOf, to, kind, body: content, resource, at: Date.parse(at) }, more);
}
