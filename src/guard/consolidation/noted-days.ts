import type { PersonalContext } from "../../ports/personal-context.ts";
import type { PromptMessage } from "../context/prompt-input.ts";
import { conversationFiles, readConversationFile } from "../summary/conversation-files.ts";

/** A day of direct messages that is worth a note. */
export interface NotedDay {
  readonly day: string;
  readonly messages: readonly PromptMessage[];
}

const LONG_DAY = 20;
const OLDEST_DAYS = 14;

/**
 * Returns the past days with many direct messages, of the last two weeks, that have no note yet. What a person set aside
 * is left out: everything archived from before `clearedAt`.
 */
export async function findLongDays(
  { texts }: PersonalContext,
  known: { readonly noted: ReadonlySet<string>; readonly clearedAt: number; readonly now: number },
): Promise<readonly NotedDay[]> {
  const [today, oldest] = [dayOf(known.now), dayOf(known.now - OLDEST_DAYS * 86_400_000)];
  const files = conversationFiles(await texts.files()).filter(
    ({ day }) => day < today && day >= oldest && !known.noted.has(day),
  );
  const days: NotedDay[] = [];
  for (const [day, ofDay] of Map.groupBy(files, (file) => file.day)) {
    const messages: PromptMessage[] = [];
    for (const file of ofDay) messages.push(...(await readConversationFile(texts, file, known.clearedAt)));
    if (messages.length >= LONG_DAY) days.push({ day, messages });
  }
  return days;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, "YYYY-MM-DD".length);
}
