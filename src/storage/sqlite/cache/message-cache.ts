import type { MessageReads, MessageRecord, MessageWrites } from "../../../ports/store/message.ts";

/**
 * Remembers the last messages: a turn asks for the message it answers, for those that led to it, and for what was said
 * since the turn before. Only this process writes to the store and a committed message never changes, so what is
 * remembered is never wrong. What a group of transactions appends is set aside until its commit; the next read takes it
 * over, for one that began before must not see it. When a part of the group was undone nobody here knows which, so
 * nothing of it is taken over, and what was remembered of each space ends.
 */
export interface MessageCache {
  reads(messages: MessageReads): MessageReads;
  writes(messages: MessageReads & MessageWrites): MessageReads & MessageWrites;
  /** To be called when a transaction, or a part of one, was refused or failed. */
  undone(): void;
  /** To be called in the moment of each commit. */
  committed(): void;
  /** To be called when a group of transactions has ended, one way or the other. */
  groupEnded(): void;
  /** To be called at the start of each read. */
  refresh(): void;
  /** To be called when a space was deleted: its numbers may be given again. */
  forget(space: string): void;
}

const REMEMBERED = 500;
const REMEMBERED_SPACES = 200;
const REMEMBERED_OF_SPACE = 20;
const LONGEST_BODY = 16_384;

export function createMessageCache(): MessageCache {
  const byId = new Map<string, MessageRecord>();
  /** The last ones of a space, without a gap. */
  const lastOf = new Map<string, MessageRecord[]>();
  let firstOfGroup = Infinity;
  const ofGroup = new Map<string, MessageRecord>();
  let partUndone = false;
  let fresh: MessageRecord[] = [];
  let broken = false;

  const keep = (message: MessageRecord): void => {
    if (message.body.length > LONGEST_BODY) return;
    if (byId.size >= REMEMBERED) byId.delete(byId.keys().next().value ?? "");
    byId.set(message.id, message);
  };

  const add = (message: MessageRecord): void => {
    keep(message);
    const last = lastOf.get(message.space) ?? [];
    if (lastOf.size >= REMEMBERED_SPACES && last.length === 0) lastOf.clear();
    if (message.body.length > LONGEST_BODY) lastOf.delete(message.space);
    else lastOf.set(message.space, last);
    last.push(message);
    if (last.length > REMEMBERED_OF_SPACE) last.shift();
  };

  /** All of the space after this number; undefined when there may be more than is remembered. */
  const since = (space: string, after: number): readonly MessageRecord[] | undefined => {
    const last = lastOf.get(space);
    const [first] = last ?? [];
    return first === undefined || after < first.seq ? undefined : last?.filter(({ seq }) => seq > after);
  };

  return {
    reads: (messages) => ({
      ...messages,
      async byId(id) {
        const known = byId.get(id);
        if (known !== undefined) return known;
        const message = await messages.byId(id);
        if (message !== undefined) keep(message);
        return message;
      },
      async page(wanted) {
        const { space, after, before, contains, limit } = wanted;
        const plain = after !== undefined && before === undefined && contains === undefined;
        return (plain ? since(space, after) : undefined)?.slice(0, limit) ?? messages.page(wanted);
      },
    }),

    writes: (messages) => ({
      ...messages,
      async byId(id) {
        const known = byId.get(id) ?? (partUndone ? undefined : ofGroup.get(id));
        if (known !== undefined) return known;
        const message = await messages.byId(id);
        if (message !== undefined && message.seq < firstOfGroup) keep(message);
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
      partUndone = true;
    },

    committed() {
      const tooMany = fresh.length + ofGroup.size > REMEMBERED;
      broken ||= partUndone || tooMany;
      fresh = partUndone || tooMany ? [] : [...fresh, ...ofGroup.values()];
    },

    groupEnded() {
      firstOfGroup = Infinity;
      ofGroup.clear();
      partUndone = false;
    },

    refresh() {
      if (broken) lastOf.clear();
      broken = false;
      for (const message of fresh.splice(0)) add(message);
    },

    forget(space) {
      lastOf.delete(space);
      fresh = fresh.filter((message) => message.space !== space);
      for (const [id, message] of byId) if (message.space === space) byId.delete(id);
    },
  };
}
