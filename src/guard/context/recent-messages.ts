import { earlierKey } from "../../domain/workspace/instance.ts";
import type { MessageRecord } from "../../ports/store/message.ts";
import type { StoreReads } from "../../ports/store/store.ts";
import { messageItem } from "./message-item.ts";
import { addToList, dropOldest, messageList } from "./message-list.ts";
import type { PromptMessage } from "./prompt-input.ts";

/**
 * A cache of the last messages of busy spaces. Messages never change, so a run reads only those since the run before it.
 * It returns the same objects each time, so that their formatted text can be cached by object.
 */
export interface RecentMessages {
  /** Reads as many messages as may fit into a prompt, and never a whole history. */
  read(store: StoreReads, space: string, options?: RecentOptions): Promise<RecentPage>;
  /** The direct messages are now those of another agent of the same name. */
  forget(agent: string): void;
}

export interface RecentOptions {
  /** The number of the current instance of a workspace. */
  readonly instance?: number | undefined;
  /** The messages that are returned have at least so many tokens together, unless there are fewer. */
  readonly tokens?: number;
  /** Messages up to this sequence number are not needed, however few tokens the later ones have. */
  readonly after?: number;
}

export interface RecentPage {
  /** Oldest first. */
  readonly messages: readonly PromptMessage[];
  /** How many messages the space has. */
  readonly total: number;
}

const DEFAULT_TOKENS = 32_000;
const PAGE = 100;
/** Of all spaces together. */
const MOST_CACHED = 20_000;

export function createRecentMessages(): RecentMessages {
  const spaces = new Map<string, RecentPage>();
  let cachedMessages = 0;
  const drop = (key: string): void => {
    cachedMessages -= spaces.get(key)?.messages.length ?? 0;
    spaces.delete(key);
  };
  /** The space that was used last is the last one in the map. */
  const remember = (key: string, page: RecentPage): void => {
    drop(key);
    spaces.set(key, page);
    cachedMessages += page.messages.length;
    for (const oldest of spaces.keys()) {
      if (cachedMessages <= MOST_CACHED || oldest === key) break;
      drop(oldest);
    }
  };
  return {
    async read(store, space, { instance = 0, tokens = DEFAULT_TOKENS, after } = {}) {
      const key = earlierKey(space, instance);
      const known = await withNewer(store, space, spaces.get(key));
      const page =
        after !== undefined && reaches(known, after)
          ? withoutSurplus(known, after)
          : await withOlder(store, space, known, tokens);
      remember(key, page);
      return page;
    },
    forget: (agent) => drop(earlierKey(agent, 0)),
  };
}

/** Adds what was posted since. Counts the messages of a space only when it is read for the first time. */
async function withNewer(store: StoreReads, space: string, cached: RecentPage | undefined): Promise<RecentPage> {
  const after = cached?.messages.at(-1)?.seq ?? null;
  if (cached !== undefined && after !== null) {
    const since = await store.messages.page({ space, after, limit: PAGE });
    if (since.length === 0) return cached;
    // A full page may not reach the newest message.
    if (since.length < PAGE) {
      const messages = [...cached.messages, ...since.map(toPromptMessage)];
      addToList(cached.messages, messages);
      return { messages, total: cached.total + since.length };
    }
  }
  const newest = await store.messages.page({ space, limit: PAGE });
  const total = newest.length < PAGE ? newest.length : await store.messages.count(space);
  return { messages: newest.map(toPromptMessage), total };
}

/** Adds older messages until there are enough, or removes those that are too many. */
async function withOlder(store: StoreReads, space: string, known: RecentPage, tokens: number): Promise<RecentPage> {
  const { total } = known;
  let { messages } = known;
  let sum = messageList(messages).tokens;
  while (sum < tokens && messages.length < total) {
    const before = messages[0]?.seq ?? Number.MAX_SAFE_INTEGER;
    const older = (await store.messages.page({ space, before, limit: PAGE })).map(toPromptMessage);
    if (older.length === 0) break;
    sum += older.reduce((all, message) => all + messageItem(message).tokens, 0);
    messages = [...older, ...messages];
  }
  if (messages.length > 2 * PAGE && sum >= 2 * tokens) messages = dropOldest(messages, tokens);
  return messages === known.messages ? known : { messages, total };
}

/** Whether the page has every message after this one. */
function reaches({ messages, total }: RecentPage, after: number): boolean {
  return messages.length === total || (messages[0]?.seq ?? 0) <= after + 1;
}

/** Removes messages that are not needed, if they are many. */
function withoutSurplus(page: RecentPage, after: number): RecentPage {
  const { messages, total } = page;
  if (messages.length <= 2 * PAGE) return page;
  const needed = messages.findIndex(({ seq }) => (seq ?? 0) > after);
  const last = messages.length - PAGE;
  return { messages: messages.slice(needed === -1 ? last : Math.min(needed, last)), total };
}

export function toPromptMessage(message: MessageRecord): PromptMessage {
  const { id, seq, sender, onBehalfOf, addressee, kind, body, resource, createdAt } = message;
  return { id, seq, from: sender, onBehalfOf, to: addressee, kind, body, resource, at: createdAt };
}
