import { toPromptMessage } from "../context/recent-messages.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { partOfMessages, partOfSummaries, type SummaryPart } from "./summary-part.ts";
import { PART_MESSAGES, PART_SUMMARIES } from "./summary-source.ts";

/** A model is asked again for a part at which it failed, until it was asked this often. */
export const MOST_ATTEMPTS = 3;
/** So many of the newest summaries of a level stay as they are, for their detail. */
const NEWEST = 5;
const HIGHEST_LEVEL = 6;

type Read = <T>(work: (store: StoreReads) => Promise<T>) => Promise<T>;

/**
 * Returns the next part of a space in the store that has no summary yet, before the message with this number; undefined
 * when there is none. Only full parts are summarised, so that no summary has to be made twice.
 */
export async function nextMessages(read: Read, space: string, before: number): Promise<SummaryPart | undefined> {
  return read(async (store) => {
    const after = (await store.summaries.last(space, 0))?.to ?? 0;
    const records = await store.messages.page({ space, after, limit: PART_MESSAGES });
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    if (records.length < PART_MESSAGES || first.seq >= before) return undefined;
    return partOfMessages(space, { from: first.seq, to: last.seq }, records.map(toPromptMessage), 0);
  });
}

/** Returns the parts of a space in the store at which the model failed, to ask it again. */
export async function messagesToRetry(read: Read, space: string): Promise<readonly SummaryPart[]> {
  return read(async (store) => {
    const parts: SummaryPart[] = [];
    for (const { level, from, to, messages, attempts } of await store.summaries.failed(space, MOST_ATTEMPTS)) {
      if (level > 0) continue;
      const records = await store.messages.page({ space, after: from - 1, before: to + 1, limit: messages });
      if (records.length === messages) {
        parts.push(partOfMessages(space, { from, to }, records.map(toPromptMessage), attempts));
      }
    }
    return parts;
  });
}

/** Returns the next summaries that get a common one; undefined when there are too few. */
export async function nextSummaries(read: Read, space: string): Promise<SummaryPart | undefined> {
  return read(async (store) => {
    for (let level = 0; level < HIGHEST_LEVEL; level += 1) {
      const after = (await store.summaries.last(space, level + 1))?.to ?? -1;
      const found = await store.summaries.ofLevel({ space, level, after, limit: PART_SUMMARIES + NEWEST });
      if (found.length === 0) return undefined;
      const [first, ...others] = found.slice(0, PART_SUMMARIES);
      if (found.length === PART_SUMMARIES + NEWEST && first !== undefined) return partOfSummaries([first, ...others]);
    }
    return undefined;
  });
}
