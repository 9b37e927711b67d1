import type { PersonalContext, PersonalText } from "../../ports/personal-context.ts";
import type { SummaryRecord } from "../../ports/store/summary.ts";
import type { PromptMessage } from "../context/prompt-input.ts";
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

const FOLDER = "conversations/";
const ARCHIVED = `${FOLDER}archive/`;

/**
 * Compares the files of an agent's direct messages with their summaries. A part is at most `PART_MESSAGES` messages of one
 * day; the last part of today is not summarised before it is full. Archived days are read too, except what a person set
 * aside: everything in the archive from before `clearedAt`.
 */
export async function readConversationParts(
  agent: string,
  { texts }: PersonalContext,
  known: { readonly summaries: readonly SummaryRecord[]; readonly clearedAt: number; readonly today: string; readonly before: number },
): Promise<ConversationParts> {
  const stored = new Map(known.summaries.map((summary) => [summary.from, summary]));
  const missing: SummaryPart[] = [];
  let changedFrom: number | null = null;
  for (const { file, day } of conversationFiles(texts.files())) {
    const entries = (await texts.read(file)).map((text) => toMessage(text, day));
    const archived = file.startsWith(ARCHIVED);
    const current = archived ? entries.filter(({ at }) => at > known.clearedAt) : entries;
    for (const messages of partsOf(current, day === known.today)) {
      const [from, to] = [messages[0]?.at ?? 0, messages.at(-1)?.at ?? 0];
      if (from >= known.before) continue;
      const summary = stored.get(from);
      const part = partOfMessages(agent, { from, to }, messages, summary?.attempts ?? 0);
      const isSame = summary?.fingerprint === part.fingerprint;
      if (changedFrom === null && isSame && (summary.failure === null || summary.attempts >= MOST_ATTEMPTS)) continue;
      // Files may be edited and added between others: what comes later is summarised anew, so that the order stays.
      const last = known.summaries.at(-1)?.to ?? -1;
      if (!isSame && changedFrom === null && from <= last) changedFrom = from;
      missing.push(isSame ? part : { ...part, attempts: 0 });
    }
  }
  return { missing, changedFrom };
}

/** By day; what was archived of a day was said before what is in its file now. */
function conversationFiles(files: readonly { readonly file: string }[]): { readonly file: string; readonly day: string }[] {
  return files
    .filter(({ file }) => file.startsWith(FOLDER))
    .map(({ file }) => ({ file, day: (file.split("/").at(-1) ?? "").slice(0, "YYYY-MM-DD".length) }))
    .toSorted((a, b) => compare(a.day, b.day) || compare(a.file, b.file));
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

type DatedMessage = PromptMessage & { readonly at: number };

/** A message with an invalid time counts as the beginning of its day. */
function toMessage({ source, text, at }: PersonalText, day: string): DatedMessage {
  const time = at ?? Date.parse(`${day}T00:00:00Z`);
  return { id: null, seq: null, from: source, to: null, kind: "message", body: text, resource: null, at: time };
}

function partsOf(messages: readonly DatedMessage[], isToday: boolean): readonly (readonly DatedMessage[])[] {
  const count = isToday ? Math.floor(messages.length / PART_MESSAGES) : Math.ceil(messages.length / PART_MESSAGES);
  return Array.from({ length: count }, (_, index) => messages.slice(index * PART_MESSAGES, (index + 1) * PART_MESSAGES));
}
