import { createHash } from "node:crypto";
import type { PromptMessage } from "../context/prompt-input.ts";
import type { SummaryRecord } from "../../ports/store/derived/summary.ts";
import { sendersOf } from "./summary-source.ts";

/** Messages, or summaries of the level below, that one summary is made of. */
export type SummaryPart = Pick<
  SummaryRecord,
  "space" | "level" | "from" | "to" | "messages" | "senders" | "fingerprint" | "attempts"
> & {
  readonly content:
    | { readonly kind: "messages"; readonly messages: readonly PromptMessage[] }
    | { readonly kind: "summaries"; readonly texts: readonly string[] };
};

/** A part of consecutive messages. */
export function partOfMessages(
  space: string,
  range: Pick<SummaryRecord, "from" | "to">,
  messages: readonly PromptMessage[],
  attempts: number,
): SummaryPart {
  return {
    space,
    level: 0,
    ...range,
    messages: messages.length,
    senders: sendersOf(messages),
    fingerprint: fingerprintOf(messages),
    attempts,
    content: { kind: "messages", messages },
  };
}

/** A part of consecutive summaries of one level. */
export function partOfSummaries(summaries: readonly [SummaryRecord, ...SummaryRecord[]]): SummaryPart {
  const [{ space, level, from }] = summaries;
  return {
    space,
    level: level + 1,
    from,
    to: summaries.at(-1)?.to ?? from,
    messages: summaries.reduce((sum, { messages }) => sum + messages, 0),
    senders: [...new Set(summaries.flatMap(({ senders }) => senders))],
    fingerprint: "",
    attempts: 0,
    content: { kind: "summaries", texts: summaries.map(({ text }) => text) },
  };
}

function fingerprintOf(messages: readonly PromptMessage[]): string {
  const hash = createHash("sha256");
  for (const { from, at, body } of messages) hash.update(JSON.stringify([from, at, body]));
  return hash.digest("hex").slice(0, 32);
}
