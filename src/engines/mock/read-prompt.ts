/**
 * A message of a prompt. The mock engine has no model to understand a prompt, so it relies on the form in which the
 * guard writes the inbox: `<message from="alice" ...>` elements in an `<inbox>`. A prompt without one is one message
 * without a sender.
 */
export interface PromptMessage {
  readonly sender: string | null;
  readonly text: string;
}

const INBOX = /<inbox\b[^>]*>([\s\S]*?)<\/inbox>/;
const MESSAGE = /<message\b([^>]*)>([\s\S]*?)<\/message>/g;
const SENDER = /\bfrom="([a-zA-Z][a-zA-Z0-9_-]{0,63})"/;

/** Returns the messages in the order of the prompt; at least one. */
export function readPrompt(prompt: string): readonly PromptMessage[] {
  const inbox = INBOX.exec(prompt)?.[1] ?? "";
  const messages = [...inbox.matchAll(MESSAGE)].map(([, attributes = "", text = ""]) => ({
    sender: SENDER.exec(attributes)?.[1] ?? null,
    text: text.trim(),
  }));
  return messages.length > 0 ? messages : [{ sender: null, text: prompt.trim() }];
}
