import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import type { SummaryRecord } from "../../ports/store/derived/summary.ts";
import { extractParts } from "../summary/summary-source.ts";
import { messageItem } from "./message-item.ts";
import { messageList } from "./message-list.ts";
import type { EarlierMessages, PromptMessage } from "./prompt-input.ts";
import { toPromptMessage, type RecentPage } from "./recent-messages.ts";

/** What the store knows about the messages before a page, as far as a prompt may need it. */
export interface StoredEarlier {
  readonly summaries: readonly SummaryRecord[];
  /** Before the page and after the summaries, oldest first. */
  readonly unsummarised: readonly MessageRecord[];
}

const NOTHING: StoredEarlier = { summaries: [], unsummarised: [] };
/** More messages than this are only counted, until they are summarised in the background. */
const MOST_UNSUMMARISED = 250;
/** While the messages take less of the budget, none of them can be left out. */
const SAFE_SHARE = 0.4;

/** Reads nothing while all messages fit into a prompt. The cost does not grow with the number of messages. */
export async function readStoredEarlier(
  store: StoreReads,
  space: string,
  { messages, total }: RecentPage,
  budget: number,
): Promise<StoredEarlier> {
  const more = messages.length < total;
  if (!more && messageList(messages).tokens < budget * SAFE_SHARE) return NOTHING;
  const summaries = await store.summaries.cover(space);
  const covered = summaries.at(-1)?.to ?? 0;
  const first = messages[0]?.seq ?? 0;
  if (!more || covered >= first - 1) return { summaries, unsummarised: [] };
  const before = await store.messages.page({ space, before: first, limit: MOST_UNSUMMARISED });
  return { summaries, unsummarised: before.filter(({ seq }) => seq > covered) };
}

/** The same for the prompt: what has no summary yet gets one by rules. */
export function earlierInChannel({ messages, total }: RecentPage, stored: StoredEarlier): EarlierMessages {
  const made = extractParts(stored.unsummarised.map(toPromptMessage), "seq");
  return { by: "seq", total, more: messages.length < total, summaries: [...stored.summaries, ...made] };
}

export function tokensOf(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => sum + messageItem(message).tokens, 0);
}
