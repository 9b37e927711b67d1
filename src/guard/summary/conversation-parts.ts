import type { PersonalContext } from "../../ports/personal-context.ts";
import type { SummaryRecord } from "../../ports/store/derived/summary.ts";
import { conversationFiles, readConversationFile, type DatedMessage } from "./conversation-files.ts";
import { MOST_ATTEMPTS } from "./missing-parts.ts";
import { partOfMessages, type SummaryPart } from "./summary-part.ts";
import { PART_MESSAGES } from "./summary-source.ts";

/** What the conversation files of an agent say about its summaries. */
export interface ConversationParts {
  /** Without a summary, or with one that the model failed to make. Oldest first. */
  readonly missing: readonly SummaryPart[];
  /** From here on the files say something else than the summaries; null when they do not. */
  readonly changedFrom: number | null;
}

export interface KnownSummaries {
  /** Of level 0, oldest first. */
  readonly summaries: readonly SummaryRecord[];
  /** When a person cleared the conversation: what was archived until then is not summarised. */
  readonly clearedAt: number;
  readonly today: string;
  /** Only what was said before this time. */
  readonly before: number;
}

/**
 * Compares the files of an agent's direct messages with their summaries. A part is at most `PART_MESSAGES` messages of one
 * file; the last part of today is not summarised before it is full.
 */
export async function readConversationParts(
  agent: string,
  { texts }: PersonalContext,
  { summaries, clearedAt, today, before }: KnownSummaries,
): Promise<ConversationParts> {
  const stored = new Map(summaries.map((summary) => [summary.from, summary]));
  const last = summaries.at(-1)?.to ?? -1;
  const missing: SummaryPart[] = [];
  let changedFrom: number | null = null;
  let end = -1;
  for (const file of conversationFiles(await texts.files())) {
    const messages = await readConversationFile(texts, file, clearedAt);
    for (const said of partsOf(messages, file.day === today)) {
      // Files have seconds: parts that begin in the same one still need their order.
      const from = Math.max(said[0]?.at ?? 0, end + 1);
      const to = Math.max(said.at(-1)?.at ?? 0, from);
      end = to;
      if (from >= before) continue;
      const summary = stored.get(from);
      const part = partOfMessages(agent, { from, to }, said, summary?.attempts ?? 0);
      const isSame = summary?.fingerprint === part.fingerprint;
      const isDone = isSame && (summary.failure === null || summary.attempts >= MOST_ATTEMPTS);
      if (isDone && changedFrom === null) continue;
      // Files may be edited, and days may be added between others. What comes later is then summarised anew, too.
      if (!isSame && from <= last) changedFrom ??= from;
      missing.push(isSame ? part : { ...part, attempts: 0 });
    }
  }
  return { missing, changedFrom };
}

function partsOf(messages: readonly DatedMessage[], isToday: boolean): readonly (readonly DatedMessage[])[] {
  const count = isToday ? Math.floor(messages.length / PART_MESSAGES) : Math.ceil(messages.length / PART_MESSAGES);
  return Array.from({ length: count }, (_, index) =>
    messages.slice(index * PART_MESSAGES, (index + 1) * PART_MESSAGES),
  );
}
