import type { MessageReads, MessageRecord, MessageWrites } from "../../../ports/store/message.ts";

/**
 * Caches the last messages: a run reads the message it answers, those that led to it, and those since the run before.
 * Only this process writes to the store and a committed message never changes, so no entry is ever wrong. Messages of a
 * group are added after its commit, by the next read: a read that began before must not see them. When a part of the
 * group was undone it is not known which, so no message of the group is added, and the lists of all spaces are dropped.
 */
export interface MessageCache {
  reads(messages: MessageReads): MessageReads;
  writes(messages: MessageReads & MessageWrites): MessageReads & MessageWrites;
  /** Call it when a transaction, or a part of one, was refused or failed. */
  undone(): void;
  /** Call it at each commit. */
  committed(): void;
  /** Call it when a group of transactions has ended, committed or not. */
  groupEnded(): void;
  /** Call it at the start of each read. */
  refresh(): void;
}

const MAX_MESSAGES = 500;
const MAX_SPACES = 200;
const MAX_MESSAGES_OF_SPACE = 20;
const MAX_BODY_CHARS = 16_384;

export function createMessageCache(): MessageCache {
  const byId = new Map<string, MessageRecord>();
  /** The last messages of a space, without a gap. */
  const lastOf = new Map<string, MessageRecord[]>();
  let firstOfGroup = Infinity;
  const ofGroup = new Map<string, MessageRecord>();
  let isPartUndone = false;
  let committedMessages: MessageRecord[] = [];
  let isBroken = false;

  const store = (message: MessageRecord): void => {
    if (message.body.length > MAX_BODY_CHARS) return;
    if (byId.size >= MAX_MESSAGES) byId.delete(byId.keys().next().value ?? "");
    byId.set(message.id, message);
  };

  const add = (message: MessageRecord): void => {
    store(message);
    const last = lastOf.get(message.space) ?? [];
    if (lastOf.size >= MAX_SPACES && last.length === 0) lastOf.clear();
    if (message.body.length > MAX_BODY_CHARS) lastOf.delete(message.space);
    else lastOf.set(message.space, last);
    last.push(message);
    if (last.length > MAX_MESSAGES_OF_SPACE) last.shift();
  };

  /** Returns all messages of the space after this number; undefined when some of them may not be cached. */
  const since = (space: string, after: number): readonly MessageRecord[] | undefined => {
    const last = lastOf.get(space);
    const [first] = last ?? [];
    return first === undefined || after < first.seq ? undefined : last?.filter(({ seq }) => seq > after);
  };

  return {
    reads: (messages) => ({
      ...messages,
      async byId(id) {
        const cached = byId.get(id);
        if (cached !== undefined) return cached;
        const message = await messages.byId(id);
        if (message !== undefined) store(message);
        return message;
      },
      async page(query) {
        const { space, after, before, contains, limit } = query;
        const isPlain = after !== undefined && before === undefined && contains === undefined;
        return (isPlain ? since(space, after) : undefined)?.slice(0, limit) ?? messages.page(query);
      },
    }),

    writes: (messages) => ({
      ...messages,
      async byId(id) {
        const cached = byId.get(id) ?? (isPartUndone ? undefined : ofGroup.get(id));
        if (cached !== undefined) return cached;
        const message = await messages.byId(id);
        if (message !== undefined && message.seq < firstOfGroup) store(message);
        return message;
      },
      async append(message, idempotencyKey) {
        const seq = await messages.append(message, idempotencyKey);
        firstOfGroup = Math.min(firstOfGroup, seq);
        ofGroup.set(message.id, { ...message, seq });
        return seq;
      },
    }),

    undone() {
      isPartUndone = true;
    },

    committed() {
      const isTooMany = committedMessages.length + ofGroup.size > MAX_MESSAGES;
      isBroken ||= isPartUndone || isTooMany;
      committedMessages = isPartUndone || isTooMany ? [] : [...committedMessages, ...ofGroup.values()];
    },

    groupEnded() {
      firstOfGroup = Infinity;
      ofGroup.clear();
      isPartUndone = false;
    },

    refresh() {
      if (isBroken) lastOf.clear();
      isBroken = false;
      for (const message of committedMessages.splice(0)) add(message);
    },
  };
}
