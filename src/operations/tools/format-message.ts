import type { MessageView } from "../../contract/messages.ts";
import { messageText } from "../../guard/context/message-text.ts";

/** A message in the answer of a tool: the same form as in prompts, so that nobody's text can pass for another's. */
export function formatMessage(view: MessageView, more: Readonly<Record<string, string>> = {}): string {
  const { id, seq, from, to, kind, content, resource, at } = view;
  return messageText({ id, seq, from, to, kind, body: content, resource, at: Date.parse(at) }, more);
}
