import type { PromptMessage } from "./read-prompt.ts";

const MAX_EXCERPT = 80;

/**
 * Returns the answer without a script: one sentence that the message was read. It mentions no agent, because two agents
 * on this engine would answer each other forever.
 */
export function defaultAnswer(messages: readonly PromptMessage[]): string {
  const last = messages.at(-1);
  const senders = [...new Set(messages.flatMap(({ sender }) => sender ?? []))];
  const from = senders.length === 0 ? "your message" : `the message from ${senders.join(" and ")}`;
  const about = excerpt(last?.text ?? "");
  return about === "" ? `I have read ${from}.` : `I have read ${from}: "${about}".`;
}

/** Returns the first line without characters that mention, quote or format. */
function excerpt(text: string): string {
  const line = text.split("\n").find((each) => each.trim() !== "") ?? "";
  const plain = line
    .replaceAll(/[@`"*_<>\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const short = plain.length > MAX_EXCERPT ? `${plain.slice(0, MAX_EXCERPT).toWellFormed().trimEnd()}…` : plain;
  return short.replace(/[.:;,]+$/, "");
}
